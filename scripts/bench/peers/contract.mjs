// What the peer takes and returns: schemas for Ajv and for Fastify's compiled serialiser, and records of the contract made from rows.
const fields = (type, names) => Object.fromEntries(names.split(' ').map((name) => [name, { type }]));
const record = (properties) => ({ type: 'object', properties });
const list = (items) => ({ type: 'array', items });
const nullable = (type) => [type, 'null'];

const balances = fields('number', 'unpaid_commission pending_order_commission pending_payout_commission paid_commission');

const coupon = record({
  ...fields('integer', 'id user_id'),
  ...fields('string', 'code status date_created referral_url'),
  ...balances,
  stats: record({
    ...fields('integer', 'orders_count'),
    ...fields('number', 'total_sales total_discount total_shipping total_commission'),
    ...fields(nullable('string'), 'last_refreshed'),
  }),
  user: { type: nullable('object'), properties: { ...fields('integer', 'id'), ...fields('string', 'display_name login email') } },
  commission: record({
    ...fields('number', 'percent'),
    ...fields(nullable('number'), 'percent_override fixed_per_order fixed_per_product'),
  }),
  discount: record({ ...fields('string', 'type'), ...fields('number', 'amount') }),
  payout_eligibility: record({ ...fields('boolean', 'eligible'), reasons: list({ type: 'string' }) }),
});

const order = record({
  ...fields('integer', 'order_id'),
  ...fields('string', 'date status currency commission_status credited_via'),
  ...fields('number', 'total discount commission refunded_amount'),
  ...fields(nullable('string'), 'external_id date_granted campaign'),
});

const params = { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } };
const pages = {
  page: { type: 'integer', minimum: 1, default: 1 },
  per_page: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
};
const routeOf = (response, query) => ({ schema: { params, querystring: record(query), response: { 200: response } } });

export const routes = {
  coupon: routeOf(coupon, {}),
  orders: routeOf(list(order), pages),
};

const local = (moment) => (moment === null ? null : new Date(moment).toISOString().slice(0, 19));
const divided = (value, by) => (value === null ? null : value / by);

const balancesOf = (row) =>
  Object.fromEntries(
    ['unpaid', 'pending_order', 'pending_payout', 'paid'].map((pool) => [`${pool}_commission`, row[`${pool}_minor`] / 100]),
  );

export const couponView = (row, caller) => ({
  id: row.id,
  code: row.code,
  user_id: row.user_id ?? 0,
  status: row.status,
  date_created: local(row.created_at),
  ...balancesOf(row),
  stats: {
    orders_count: row.orders_count ?? 0,
    total_sales: (row.sales_minor ?? 0) / 100,
    total_discount: (row.discount_minor ?? 0) / 100,
    total_shipping: (row.shipping_minor ?? 0) / 100,
    total_commission: (row.commission_minor ?? 0) / 100,
    last_refreshed: local(row.refreshed_at ?? null),
  },
  user: row.user_id === null ? null : userView(row, caller),
  referral_url: `https://bench.example/r/${encodeURIComponent(row.code)}`,
  commission: {
    percent: divided(row.percent_thousandths, 1000) ?? 10,
    percent_override: divided(row.percent_thousandths, 1000),
    fixed_per_order: divided(row.fixed_per_order_minor, 100),
    fixed_per_product: divided(row.fixed_per_product_minor, 100),
  },
  discount: { type: row.discount_type, amount: row.discount_amount / (row.discount_type === 'percent' ? 1000 : 100) },
  payout_eligibility: eligibility(row, caller),
});

function userView(row, { userId, isAdmin }) {
  const name = { id: row.user_id, display_name: row.display_name };
  return isAdmin || userId === row.user_id ? { ...name, login: row.login, email: row.email } : name;
}

function eligibility(row, { userId, isAdmin }) {
  if (!isAdmin && userId !== row.user_id) return { eligible: false, reasons: [] };
  const reasons = [];
  if (row.user_id === null) reasons.push('svc_api_no_affiliate');
  if (row.unpaid_minor <= 0) reasons.push('svc_api_no_balance');
  const lacksDetails = row.method_type === null || (row.encrypted_details === null && row.method_type !== 'credit');
  if (row.user_id !== null && lacksDetails) reasons.push('svc_api_no_payout_details');
  return { eligible: reasons.length === 0, reasons };
}

export const orderView = (row) => ({
  order_id: row.order_id,
  // The data sets have no orders of such platforms.
  external_id: null,
  date: local(row.placed_at),
  status: row.status,
  total: row.total_minor / 100,
  discount: row.discount_minor / 100,
  commission: row.commission_minor / 100,
  currency: 'USD',
  commission_status: row.commission_status,
  date_granted: local(row.granted_at),
  refunded_amount: row.refunded_minor / 100,
  credited_via: row.credited_via,
  campaign: row.campaign,
});

export const errors = {
  unauthorized: { code: 'svc_api_invalid_key', message: 'The API key is not valid.', data: { status: 401 } },
  scope: { code: 'svc_api_insufficient_scope', message: 'This API key lacks the scope read.', data: { status: 403 } },
  notFound: { code: 'svc_api_not_found', message: 'There is no such record.', data: { status: 404 } },
  tooMany: { code: 'svc_api_rate_limited', message: 'Too many requests.', data: { status: 429, retry_after: 60 } },
};
