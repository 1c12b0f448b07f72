import { expect } from 'chai';
import type { WebhookRequest } from '../../connectors/connector.ts';
import { getConnector } from '../../connectors/index.ts';
import { type Translation, translate } from '../../connectors/translate.ts';
import type { NumberedUpdate, PlatformOrder } from '../../domain/store/update.ts';
import { shopifyOrder, wooOrder } from './payloads.ts';

type Platform = keyof typeof topicHeaders;
const topicHeaders = { woocommerce: 'x-wc-webhook-topic', shopify: 'x-shopify-topic' };
const options = { currency: 'EUR', statuses: { packed: 'on-hold' as const }, completedWhen: 'paid' as const };

const request = (platform: Platform, topic: string, body: string): WebhookRequest => ({
  headers: { [topicHeaders[platform]]: topic },
  bytes: Buffer.from(body),
  receivedAt: 0,
});
const run = (platform: Platform, topic: string, payload: unknown, changed: object = {}): Translation =>
  translate(getConnector(platform), request(platform, topic, JSON.stringify(payload)), { ...options, ...changed });

function orderIn(translation: Translation): NumberedUpdate & PlatformOrder {
  if (!('update' in translation) || translation.update.kind !== 'order') throw new Error(JSON.stringify(translation));
  return translation.update;
}
const woo = (changed: object = {}, more: object = {}) => orderIn(run('woocommerce', 'order.updated', wooOrder(changed), more));
const shop = (changed: object = {}, more: object = {}) => orderIn(run('shopify', 'orders/updated', shopifyOrder(changed), more));
const verdict = (translation: Translation) =>
  'update' in translation ? translation.update.kind : 'fact' in translation ? translation.fact.kind : translation.outcome;

describe('the WooCommerce connector', () => {
  it('translates amounts, dates, codes and the visitor', () => {
    expect(woo()).to.deep.equal({
      kind: 'order',
      externalId: '727',
      orderId: 727,
      order: {
        placedAt: Date.parse('2026-10-05T14:31:07Z'),
        status: 'processing',
        total: 17_980,
        discount: 1798,
        shipping: 490,
        tax: 3075,
        quantity: 3,
        visitor: 'visitor-1',
        customerEmail: 'jane@customer.example',
      },
      codes: ['first10'],
      modifiedAt: Date.parse('2026-10-05T14:31:07Z'),
      isTrashed: false,
      isRestored: false,
      refunds: { byId: {}, isComplete: true, goods: { net: 16_182, orderTotal: 19_747 } },
      includesTax: false,
      paid: 19_747,
      notice: null,
    });
  });

  it('counts refunds by their id, except deleted ones', () => {
    const refunds = [
      { id: 801, total: '-50.00' },
      { id: 0, total: '-9.00' },
      { id: 802, total: '-0.5' },
      { id: 803, total: '-10.005' },
    ];
    expect(woo({ refunds }).refunds.byId).to.deep.equal({ 801: 5000, 802: 50, 803: 1001 });
  });

  it('rounds sums of amounts with many decimals half up, in currencies with zero, two and three decimals', () => {
    const line_items = [
      { quantity: 1, subtotal: '10.3334' },
      { quantity: 1, subtotal: '10.3333' },
      { quantity: 1, subtotal: '10.3333' },
    ];
    expect(woo({ line_items }).order.total).to.equal(3100);
    expect(woo({ line_items: [{ quantity: 1, subtotal: '0.005' }] }).order.total).to.equal(1);
    expect(woo({ currency: 'JPY', line_items: [{ quantity: 1, subtotal: '1500' }] }, { currency: 'JPY' }).order.total).to.equal(1500);
    expect(woo({ currency: 'KWD', line_items: [{ quantity: 1, subtotal: '1.2345' }] }, { currency: 'KWD' }).order.total).to.equal(1235);
  });

  it('rounds quantities up line by line: shops sell by weight', () => {
    const line_items = [0.35, '1.5', 2].map((quantity) => ({ quantity, subtotal: '1.00' }));
    expect(woo({ line_items }).order.quantity).to.equal(5);
  });

  it('takes a discount above the lines, which are rounded one by one, for the goods', () => {
    const line_items = [
      { quantity: 1, subtotal: '3.33' },
      { quantity: 1, subtotal: '3.33' },
    ];
    expect(woo({ line_items, discount_total: '6.67', total: '0.00' })).to.deep.include({
      refunds: { byId: {}, isComplete: true, goods: { net: 0, orderTotal: 0 } },
    });
    expect(woo({ line_items, discount_total: '6.67' }).order).to.include({ total: 666, discount: 666 });
  });

  it('reads null, empty and missing fields as nothing', () => {
    const empty = { shipping_total: '', total_tax: null, coupon_lines: null, refunds: undefined, meta_data: undefined };
    expect(woo(empty)).to.deep.include({ codes: [] });
    expect(woo(empty).order).to.deep.include({ shipping: 0, tax: 0, visitor: undefined });
    expect(woo({ meta_data: [{ key: '_affiliate_visitor', value: { a: 1 } }] }).order.visitor).to.equal(undefined);
  });

  it('maps statuses: its own, those of plug-ins by the setting, and trash', () => {
    const statuses = ['completed', 'on-hold', 'packed', 'shipped-by-plugin', 'trash', 'constructor'].map(
      (status) => woo({ status }).order.status,
    );
    expect(statuses).to.deep.equal(['completed', 'on-hold', 'on-hold', 'processing', 'cancelled', 'processing']);
  });

  it('ignores drafts and other topics, and cancels a deleted order by its number', () => {
    for (const status of ['checkout-draft', 'draft', 'auto-draft', 'new'])
      expect(verdict(run('woocommerce', 'order.updated', wooOrder({ status })))).to.equal('ignored');
    expect(verdict(run('woocommerce', 'product.updated', { id: 1 }))).to.equal('ignored');
    expect(run('woocommerce', 'order.deleted', { id: 727 })).to.deep.include({
      orderId: 727,
      update: { kind: 'cancellation', externalId: '727', orderId: 727 },
    });
    expect(verdict(run('woocommerce', 'order.deleted', wooOrder()))).to.equal('refused');
    expect(orderIn(run('woocommerce', 'order.restored', wooOrder())).isRestored).to.equal(true);
  });

  it('keeps several codes in their order, in any script, and 300 line items', () => {
    const line_items = Array.from({ length: 300 }, () => ({ quantity: 1, subtotal: '0.1' }));
    const order = woo({ line_items, coupon_lines: [{ code: 'größe' }, { code: '割引' }] });
    expect([order.codes, order.order.total, order.order.quantity]).to.deep.equal([['größe', '割引'], 3000, 300]);
  });

  it('refuses another currency and another shape with a reason that quotes nothing of the payload', () => {
    const refused: [object, string][] = [
      [{ currency: 'USD' }, 'The currency of the order is not EUR.'],
      [{ id: 'x' }, 'id is not a number above zero.'],
      [{ total: 'Jane' }, 'total is not an amount.'],
      [{ date_created_gmt: null }, 'date_created_gmt is not a date.'],
      [{ line_items: 'Jane' }, 'line_items is not a list.'],
      [{ line_items: [{ quantity: 'many', subtotal: '1' }] }, 'quantity is not an amount.'],
    ];
    for (const [changed, reason] of refused)
      expect(run('woocommerce', 'order.updated', wooOrder(changed))).to.include({ outcome: 'refused', reason });
    const broken = translate(getConnector('woocommerce'), request('woocommerce', 'order.updated', '{'), options);
    expect(broken).to.include({ outcome: 'refused', error: 'rest_invalid_json' });
  });
});

for (const [platform, topic, make] of [
  ['woocommerce', 'order.updated', wooOrder],
  ['shopify', 'orders/updated', shopifyOrder],
] as const)
  describe(`a number of an order of ${platform}`, () => {
    it('is refused from 5,000,000,000,000,000, where the service assigns numbers', () => {
      expect(verdict(run(platform, topic, make({ id: 4_999_999_999_999_999 })))).to.equal('order');
      expect(run(platform, topic, make({ id: 5_000_000_000_000_000 }))).to.include({
        outcome: 'refused',
        reason: 'Order numbers from 5,000,000,000,000,000 upward are assigned by this service.',
      });
    });
  });

describe('the Shopify connector', () => {
  it('translates amounts of the shop, dates, codes and the visitor', () => {
    expect(shop().order).to.deep.equal({
      placedAt: Date.parse('2026-10-05T14:31:07Z'),
      status: 'completed',
      total: 17_980,
      discount: 1798,
      shipping: 490,
      tax: 0,
      quantity: 3,
      campaign: undefined,
      visitor: 'visitor-1',
      customerEmail: 'jane@customer.example',
    });
    expect(shop()).to.deep.include({ externalId: '5678901234567', orderId: 5_678_901_234_567 });
    expect(shop()).to.deep.include({ codes: ['FIRST10'], modifiedAt: Date.parse('2026-10-05T14:31:07Z') });
  });

  it('subtracts the tax of the lines and of refunds from prices that include it', () => {
    const refunds = [{ id: 9, refund_line_items: [{ subtotal: 59.5, total_tax: 9.5 }] }];
    const order = shop({ taxes_included: true, refunds });
    expect([order.order.total, order.refunds.byId]).to.deep.equal([16_480, { 9: 5000 }]);
    expect(shop({ refunds }).refunds.byId).to.deep.equal({ 9: 5950 });
  });

  it('counts of a refund what neither lines nor tax nor shipping account for, in the proportion of the goods to what was paid', () => {
    const taxed = { total_tax: '38.00', total_price: '238.00', total_line_items_price: '200.00', total_discounts: '0.00' };
    const back = (amount: string, more: object = {}) => ({ kind: 'refund', status: 'success', amount, currency: 'EUR', ...more });
    const goods = (refund: object, more: object = {}) => shop({ ...taxed, ...more, refunds: [{ id: 9, ...refund }] }).refunds.byId['9'];
    expect(goods({ transactions: [back('119.00')] })).to.equal(10_000);
    expect(goods({ transactions: [back('119.00', { status: 'failure' }), back('5.00', { kind: 'void' })] })).to.equal(0);
    const lines = { refund_line_items: [{ subtotal: 50, total_tax: 9.5 }] };
    expect(goods({ ...lines, transactions: [back('59.50')] })).to.equal(5000);
    expect(goods({ ...lines, transactions: [back('119.00')] })).to.equal(10_000);
    // 40.00 of 59.50: a restocking fee keeps the commission on what the shop kept. So does a return without money.
    expect(goods({ ...lines, transactions: [back('40.00')] })).to.equal(3361);
    expect(goods({ ...lines, transactions: [back('59.50', { status: 'failure' })] })).to.equal(0);
    expect(goods({ ...lines, transactions: [] })).to.equal(0);
    const included = {
      taxes_included: true,
      total_line_items_price: '238.00',
      line_items: [{ quantity: 1, tax_lines: [{ price: '38.00' }] }],
    };
    expect(goods({ refund_line_items: [{ subtotal: 59.5, total_tax: 9.5 }], transactions: [back('47.60')] }, included)).to.equal(4000);
    const older = {
      order_adjustments: [{ kind: 'shipping_refund', amount: '-5.00', tax_amount: '-0.95' }, { kind: 'refund_discrepancy' }],
    };
    const money = (amount: string) => ({ shop_money: { amount } });
    const newer = { refund_shipping_lines: [{ subtotal_amount_set: money('5.00'), tax_amount_set: money('0.95') }] };
    for (const shipping of [older, newer]) expect(goods({ ...shipping, transactions: [back('124.95')] })).to.equal(10_000);
    const total_price_set = { ...money('238.00'), presentment_money: { amount: '476.00' } };
    expect(goods({ transactions: [back('238.00', { currency: 'USD' })] }, { total_price_set })).to.equal(10_000);
  });

  it('reads a refund of shipping alone, or of free lines, also before its money is given back', () => {
    const money = (amount: string) => ({ shop_money: { amount } });
    const shipping = { refund_shipping_lines: [{ subtotal_amount_set: money('5.00'), tax_amount_set: money('0.95') }] };
    const pending = [{ kind: 'refund', status: 'pending', amount: '5.95', currency: 'EUR' }];
    for (const transactions of [pending, []])
      for (const refund_line_items of [[], [{ subtotal: 0, total_tax: 0 }]]) {
        const refund = { id: 9, order_id: 7, ...shipping, refund_line_items, transactions };
        expect(shop({ refunds: [refund] }).refunds.byId).to.deep.equal({ 9: 0 });
        const none = { goods: 0, rest: 0 };
        expect(run('shopify', 'refunds/create', refund))
          .to.have.property('update')
          .that.deep.includes({ withTax: none, withoutTax: none });
      }
    const lines = { refund_line_items: [{ subtotal: 50, total_tax: 9.5 }] };
    expect(shop({ refunds: [{ id: 9, ...shipping, ...lines, transactions: pending }] }).refunds.byId).to.deep.equal({ 9: 0 });
  });

  it('counts the lines of a refund where it does not say what a payment is worth in the currency of the shop', () => {
    const transactions = [{ kind: 'refund', status: 'success', amount: '55.00', currency: 'USD' }];
    const refund = { id: 9, order_id: 7, refund_line_items: [{ subtotal: 50, total_tax: 0 }], transactions };
    const lines = { goods: 5000, rest: 0 };
    expect(run('shopify', 'refunds/create', refund))
      .to.have.property('update')
      .that.deep.includes({ withTax: lines, withoutTax: lines });
    expect(shop({ refunds: [refund] }).refunds.byId).to.deep.equal({ 9: 5000 });
  });

  it('counts what was taken off an order in full until the order is paid', () => {
    const refunds = [{ id: 9, refund_line_items: [{ subtotal: 50, total_tax: 0 }], transactions: [] }];
    const counted = (financial_status: string) => shop({ financial_status, refunds }).refunds.byId['9'];
    expect(['pending', 'authorized'].map(counted)).to.deep.equal([5000, 5000]);
    expect(['paid', 'partially_refunded'].map(counted)).to.deep.equal([0, 0]);
  });

  it('leaves a discount on shipping out where every line has its part of the discounts', () => {
    const line = (...amounts: string[]) => ({
      quantity: 1,
      discount_allocations: amounts.map((amount) => ({ amount, discount_application_index: 0 })),
    });
    const discounts = { total_line_items_price: '179.80', total_discounts: '22.88' };
    expect(shop({ ...discounts, line_items: [line('10.00', '7.98'), line()] }).order).to.include({ total: 17_980, discount: 1798 });
    expect(shop({ ...discounts, line_items: [line('17.98'), { quantity: 1 }] }).order.discount).to.equal(2288);
  });

  it('takes a discount above the goods, which includes shipping, for the goods', () => {
    expect(shop({ total_discounts: '184.70' }).order).to.include({ total: 17_980, discount: 17_980 });
  });

  it('maps the statuses of payment and fulfillment', () => {
    const cases: [object, string, object?][] = [
      [{ financial_status: 'paid' }, 'completed'],
      [{ financial_status: 'partially_refunded' }, 'completed'],
      [{ financial_status: 'paid' }, 'processing', { completedWhen: 'fulfilled' }],
      [{ financial_status: 'paid', fulfillment_status: 'fulfilled' }, 'completed', { completedWhen: 'fulfilled' }],
      [{ financial_status: 'pending' }, 'on-hold'],
      [{ financial_status: 'authorized' }, 'on-hold'],
      [{ financial_status: 'voided' }, 'cancelled'],
      [{ cancelled_at: '2026-10-06T00:00:00Z' }, 'cancelled'],
      [{ financial_status: 'refunded' }, 'refunded'],
    ];
    for (const [changed, status, more] of cases) expect(shop(changed, more).order.status, JSON.stringify(changed)).to.equal(status);
  });

  it('ignores test orders and compliance topics, and reads a refund without its order', () => {
    expect(verdict(run('shopify', 'orders/create', shopifyOrder({ test: true })))).to.equal('ignored');
    for (const topic of ['customers/data_request', 'customers/redact', 'shop/redact', ''])
      expect(verdict(run('shopify', topic, { customer: { email: 'x' } }))).to.equal('ignored');
    const refund = { id: 9, order_id: 5_678_901_234_567, refund_line_items: [{ subtotal: 59.93, total_tax: 10 }] };
    expect(run('shopify', 'refunds/create', refund)).to.deep.include({
      orderId: 5_678_901_234_567,
      update: {
        kind: 'refund',
        externalId: '5678901234567',
        orderId: 5_678_901_234_567,
        refundId: '9',
        withTax: { goods: 4993, rest: 0 },
        withoutTax: { goods: 5993, rest: 0 },
      },
    });
  });
});

describe('getConnector', () => {
  it('throws for a platform without a connector', () => {
    for (const platform of ['', 'magento', 'constructor'])
      expect(() => getConnector(platform)).to.throw(`There is no connector for the platform ${platform}.`);
  });
});
