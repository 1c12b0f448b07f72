// Orders as the platforms document them, with customer data, which must never be stored.

export const customer = { first_name: 'Jane', last_name: 'Secretname', email: 'jane@customer.example', phone: '+4915100000000' };

export const wooOrder = (changed: object = {}) => ({
  id: 727,
  status: 'processing',
  currency: 'EUR',
  date_created: '2026-10-05T16:31:07',
  date_created_gmt: '2026-10-05T14:31:07',
  date_modified_gmt: '2026-10-05T14:31:07',
  discount_total: '17.98',
  shipping_total: '4.90',
  total_tax: '30.75',
  total: '197.47',
  customer_note: null,
  billing: customer,
  line_items: [
    { id: 1, quantity: 1, subtotal: '100.00', total: '90.00', taxes: [] },
    { id: 2, quantity: 2, subtotal: '79.80', total: '71.82', taxes: [] },
  ],
  coupon_lines: [{ id: 5, code: 'first10', discount: '17.98' }],
  refunds: [] as object[],
  meta_data: [{ id: 9, key: '_affiliate_visitor', value: 'visitor-1' }],
  ...changed,
});

export const shopifyOrder = (changed: object = {}) => ({
  id: 5_678_901_234_567,
  test: false,
  currency: 'EUR',
  presentment_currency: 'USD',
  created_at: '2026-10-05T10:31:07-04:00',
  updated_at: '2026-10-05T10:31:07-04:00',
  cancelled_at: null,
  financial_status: 'paid',
  fulfillment_status: null,
  taxes_included: false,
  total_line_items_price: '179.80',
  total_discounts: '17.98',
  total_tax: null as string | null,
  total_price: '166.72',
  total_shipping_price_set: { shop_money: { amount: '4.90', currency_code: 'EUR' } },
  customer,
  line_items: [{ id: 1, quantity: 3, price: '59.93', tax_lines: [{ price: '10.00' }, { price: '5.00' }] }],
  discount_codes: [{ code: 'FIRST10', amount: '17.98', type: 'percentage' }],
  note_attributes: [{ name: 'affiliate_visitor', value: 'visitor-1' }] as object[],
  refunds: [] as object[],
  ...changed,
});
