// Schemas of the Fastify peer: for requests (Ajv) and for responses (its compiled serialiser).
const fields = (type, names) => Object.fromEntries(names.split(' ').map((name) => [name, { type }]));
const record = (properties) => ({ type: 'object', properties });
const list = (items) => ({ type: 'array', items });

const day = { type: 'string', format: 'date' };
const nullableText = ['string', 'null'];
const params = { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } };
const range = { from: day, to: day };
const pages = {
  page: { type: 'integer', minimum: 1, default: 1 },
  per_page: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
};

const person = { ...fields('integer', 'id'), ...fields('string', 'display_name login email') };

const coupon = record({
  ...fields('integer', 'id user_id'),
  ...fields('string', 'code status date_created referral_url'),
  ...fields('number', 'unpaid_commission pending_order_commission pending_payout_commission paid_commission'),
  stats: record({
    ...fields('integer', 'orders_count'),
    ...fields('number', 'total_sales total_discount total_shipping total_commission'),
    ...fields(nullableText, 'last_refreshed'),
  }),
  user: { type: ['object', 'null'], properties: person },
  commission: record({
    ...fields('number', 'percent'),
    ...fields(['number', 'null'], 'percent_override fixed_per_order fixed_per_product'),
  }),
  discount: record({ ...fields('string', 'type'), ...fields('number', 'amount') }),
  payout_eligibility: record({ ...fields('boolean', 'eligible'), reasons: list({ type: 'string' }) }),
});

const order = record({
  ...fields('integer', 'order_id'),
  ...fields('string', 'date status currency commission_status credited_via'),
  ...fields('number', 'total discount commission refunded_amount'),
  ...fields(nullableText, 'date_granted campaign'),
});

const statistics = record({
  ...fields('integer', 'coupon_id orders_count'),
  ...fields('string', 'code source'),
  ...fields(nullableText, 'from to last_refreshed'),
  ...fields(['integer', 'null'], 'retry_after'),
  ...fields('boolean', 'code_ambiguous'),
  ...fields('number', 'total_sales total_discount total_shipping total_commission'),
  status_counts: record(fields('integer', 'pending processing on-hold completed failed cancelled refunded')),
  ...fields('number', 'unpaid_commission pending_order_commission pending_payout_commission paid_commission'),
});

const report = record({
  ...fields('string', 'generated currency timezone'),
  ...fields('boolean', 'cached'),
  ...fields(nullableText, 'from to'),
  totals: record({
    ...fields('integer', 'affiliates coupons orders_count'),
    ...fields('number', 'total_sales total_commission total_discount'),
    ...fields('number', 'unpaid_commission pending_order_commission pending_payout_commission paid_commission'),
  }),
  balances: record(fields('number', 'referred_commission multi_level_commission awaiting_payment_commission handed_over_commission total')),
  payouts: record({ ...fields('integer', 'pending_count paid_count'), ...fields('number', 'pending_amount paid_amount') }),
  clicks: record({ ...fields('integer', 'clicks conversions'), ...fields('number', 'conversion_rate') }),
  ...fields('integer', 'pending_registrations'),
  top_affiliates: list(
    record({ ...fields('integer', 'user_id orders_count'), user: record(person), ...fields('number', 'total_sales total_commission') }),
  ),
});

const clicks = record({
  ...fields(['integer', 'null'], 'coupon_id'),
  ...fields(nullableText, 'campaign from to'),
  ...fields('integer', 'clicks conversions unique_clicks'),
  ...fields('number', 'conversion_rate'),
});

const event = record({
  ...fields('integer', 'id event_id user_id'),
  ...fields('string', 'event type object_type info date'),
  data: { type: 'object', additionalProperties: true },
});

const routeOf = (response, request) => ({ schema: { ...request, response: { 200: response } } });

export const routes = {
  coupon: routeOf(coupon, { params }),
  orders: routeOf(list(order), { params, querystring: record({ ...pages, ...range }) }),
  statistics: routeOf(statistics, { params, querystring: record(range) }),
  report: routeOf(report, { querystring: record({ ...range, refresh: { type: 'boolean', default: false } }) }),
  clicks: routeOf(clicks, { querystring: record(range) }),
  events: routeOf(list(event), { querystring: record({ ...pages, after: { type: 'integer', minimum: 0, default: 0 } }) }),
};
