const text = { type: 'string' };
const number = { type: 'number' };
const whole = { type: 'integer' };
const textOrNull = { type: ['string', 'null'] };
const numberOrNull = { type: ['number', 'null'] };
const record = (properties) => ({ type: 'object', properties });

const params = { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } };

const coupon = record({
  id: whole,
  code: text,
  user_id: whole,
  status: text,
  date_created: text,
  unpaid_commission: number,
  pending_order_commission: number,
  pending_payout_commission: number,
  paid_commission: number,
  stats: record({
    orders_count: whole,
    total_sales: number,
    total_discount: number,
    total_shipping: number,
    total_commission: number,
    last_refreshed: textOrNull,
  }),
  user: { type: ['object', 'null'], properties: { id: whole, display_name: text, login: text, email: text } },
  referral_url: text,
  commission: record({ percent: number, percent_override: numberOrNull, fixed_per_order: numberOrNull, fixed_per_product: numberOrNull }),
  discount: record({ type: text, amount: number }),
  payout_eligibility: record({ eligible: { type: 'boolean' }, reasons: { type: 'array', items: text } }),
});

const order = record({
  order_id: whole,
  date: text,
  status: text,
  total: number,
  discount: number,
  commission: number,
  currency: text,
  commission_status: text,
  date_granted: textOrNull,
  refunded_amount: number,
  credited_via: text,
  campaign: textOrNull,
});

const day = { type: 'string', format: 'date' };

export const couponSchema = { params, response: { 200: coupon } };

export const ordersSchema = {
  params,
  querystring: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, default: 1 },
      per_page: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      from: day,
      to: day,
    },
  },
  response: { 200: { type: 'array', items: order } },
};
