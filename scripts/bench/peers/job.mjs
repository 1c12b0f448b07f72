// The job of every peer, as far as it does not depend on the framework or the database: statements, rate limit and the shape of responses.
import cluster from 'node:cluster';
import { createHash, randomUUID } from 'node:crypto';

export const port = Number(process.env.PORT ?? 0);
export const databaseUrl = process.env.DATABASE_URL ?? '';
export const isPostgres = databaseUrl.startsWith('postgres:');
export const databaseFile = databaseUrl.replace(/^sqlite:/, '');

/** The line that the bench waits for. One of several processes tells the first instead. */
export const printListening = (address) =>
  cluster.isWorker ? process.send(address) : process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`);

/** As in the settings of the data set. */
export const store = { currency: 'USD', shopUrl: 'https://example.com', percent: 10 };
export const limit = { ceiling: 1_000_000, windowSeconds: 60 };

export const sql = {
  key: `select api_keys.id, api_keys.scopes, api_keys.expires_day, api_keys.revoked_at, users.id as user_id, users.role
    from api_keys join users on users.id = api_keys.user_id where hash = ?`,
  coupon: `select coupons.*, users.login, users.email, users.display_name, orders_count, sales_minor, coupon_totals.discount_minor, shipping_minor,
      commission_minor, refreshed_at, method_type, encrypted_details
    from coupons left join users on users.id = coupons.user_id left join coupon_totals on coupon_totals.coupon_id = coupons.id
    left join payout_details on payout_details.user_id = coupons.user_id where coupons.id = ?`,
  upline: `with recursive line (id) as (
      select user_id from coupons where id = ? union select users.parent_id from users join line on line.id = users.id)
    select 1 from line where id = ?`,
  countOrders: (range) => `select count(*) as total from orders where coupon_id = ? ${range}`,
  orders: (range) => `select * from orders where coupon_id = ? ${range}
    order by day desc, placed_at desc, order_id desc limit ? offset ?`,
};

export const hashOf = (token) => createHash('sha256').update(token).digest('hex');

export const bearerToken = (authorization = '') => (authorization.startsWith('Bearer ') ? authorization.slice(7) : '');

/** Undefined where the key is not valid. */
export function callerOf(row) {
  if (!row || row.revoked_at !== null || (row.expires_day !== null && row.expires_day < new Date().toISOString().slice(0, 10)))
    return undefined;
  return {
    keyId: row.id,
    userId: row.user_id,
    scopes: row.scopes.split(','),
    isAdmin: row.role === 'administrator' || row.role === 'manager',
  };
}

/** The headers of a request's window, after so many requests in it. */
export const rateOf = (count, millisecondsLeft) => ({
  isTooMany: count > limit.ceiling,
  policy: `"auth";q=${limit.ceiling};w=${limit.windowSeconds}`,
  state: `"auth";r=${Math.max(limit.ceiling - count, 0)};t=${Math.ceil(millisecondsLeft / 1000)}`,
});

export const newRequestId = () => randomUUID();

export const local = (moment) => (moment === null ? null : new Date(moment).toISOString().slice(0, 19));
const percent = (thousandths) => (thousandths === null ? null : thousandths / 1000);
const fixed = (minor) => (minor === null ? null : minor / 100);

/** Mirrors CouponDetail of the contract. */
export const couponView = (row, caller) => ({
  id: row.id,
  code: row.code,
  user_id: row.user_id ?? 0,
  status: row.status,
  date_created: local(row.created_at),
  unpaid_commission: row.unpaid_minor / 100,
  pending_order_commission: row.pending_order_minor / 100,
  pending_payout_commission: row.pending_payout_minor / 100,
  paid_commission: row.paid_minor / 100,
  stats: {
    orders_count: row.orders_count ?? 0,
    total_sales: (row.sales_minor ?? 0) / 100,
    total_discount: (row.discount_minor ?? 0) / 100,
    total_shipping: (row.shipping_minor ?? 0) / 100,
    total_commission: (row.commission_minor ?? 0) / 100,
    last_refreshed: local(row.refreshed_at ?? null),
  },
  user: row.user_id === null ? null : userView(row, caller),
  referral_url: `${store.shopUrl}/?ref=${encodeURIComponent(row.code)}`,
  commission: {
    percent: percent(row.percent_thousandths) ?? store.percent,
    percent_override: percent(row.percent_thousandths),
    fixed_per_order: fixed(row.fixed_per_order_minor),
    fixed_per_product: fixed(row.fixed_per_product_minor),
  },
  discount: { type: row.discount_type, amount: row.discount_type === 'percent' ? row.discount_amount / 1000 : row.discount_amount / 100 },
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

/** Mirrors Order of the contract. */
export const orderView = (row) => ({
  order_id: row.order_id,
  date: local(row.placed_at),
  status: row.status,
  total: row.total_minor / 100,
  discount: row.discount_minor / 100,
  commission: row.commission_minor / 100,
  currency: store.currency,
  commission_status: row.commission_status,
  date_granted: local(row.granted_at),
  refunded_amount: row.refunded_minor / 100,
  credited_via: row.credited_via,
  campaign: row.campaign,
});

export const errors = {
  unauthorized: { code: 'svc_api_invalid_key', message: 'The API key is not valid.', data: { status: 401 } },
  scope: { code: 'svc_api_insufficient_scope', message: 'This API key lacks the scope read.', data: { status: 403 } },
  forbidden: { code: 'rest_forbidden', message: 'Only admins may read this.', data: { status: 403 } },
  notFound: { code: 'svc_api_not_found', message: 'There is no such record.', data: { status: 404 } },
  tooMany: { code: 'svc_api_rate_limited', message: 'Too many requests.', data: { status: 429, retry_after: limit.windowSeconds } },
};
