// Statistics, reports, clicks and the change feed in the common way: each request sums and counts the rows that it is about.
import { local, store } from './job.mjs';
import { prepare } from './storage.mjs';

/** As wide as the data set. */
const allTime = { from: '0000-01-01', to: '9999-12-31' };
const daysOf = ({ from, to }) => [from ?? allTime.from, to ?? allTime.to];
const within = 'day >= ? and day <= ?';

const sale = "status in ('processing', 'on-hold', 'completed')";
const sum = (expression) => `cast(coalesce(sum(${expression}), 0) as bigint)`;
const sums = `count(*) as orders, ${sum('total_minor - refunded_minor')} as sales, ${sum('discount_minor')} as discount,
  ${sum('shipping_minor')} as shipping, ${sum('commission_minor')} as commission`;
const pools = ['unpaid', 'pending_order', 'pending_payout', 'paid'];

const byStatus = prepare(`select status, ${sums} from orders where coupon_id = ? and ${within} group by status`);
const allSales = prepare(`select ${sums} from orders where ${sale} and ${within}`);
const allBalances = prepare(`select ${sum(`case when ${sale} then commission_minor else 0 end`)} as referred,
  ${sum("case when status = 'pending' then commission_minor else 0 end")} as awaiting from orders`);
const standing = prepare(`select count(*) as coupons, count(distinct user_id) as affiliates,
  ${pools.map((pool) => `${sum(`${pool}_minor`)} as ${pool}_minor`).join(', ')},
  (select count(*) from registrations where status = 'pending') as registrations from coupons`);
const pendingPayouts = prepare(`select count(*) as count, ${sum('amount_minor')} as amount from payouts where status = 'pending'`);
const paidPayouts = prepare(
  `select count(*) as count, ${sum('amount_minor')} as amount from payouts where status = 'paid' and paid_day >= ? and paid_day <= ?`,
);
const countClicks = prepare(`select count(*) as clicks, count(converted_order_id) as conversions from clicks where ${within}`);
const countVisitors = prepare(`select count(*) as clicks, count(converted_order_id) as conversions, count(distinct visitor_hash) as visitors
  from clicks where ${within}`);
const bestAffiliates = prepare(`select users.id, login, email, display_name, best.* from (
    select user_id, ${sums} from orders join coupons on coupons.id = orders.coupon_id where orders.${sale} and ${within}
    group by user_id order by commission desc, user_id limit 10) as best
  join users on users.id = best.user_id order by commission desc, users.id`);
const countEvents = prepare('select count(*) as total from events where id > ?');
const eventsAfter = prepare('select * from events where id > ? order by id limit ? offset ?');

const balancesOf = (row) => Object.fromEntries(pools.map((pool) => [`${pool}_commission`, row[`${pool}_minor`] / 100]));
const totalOf = (rows, name) => rows.reduce((total, row) => total + row[name], 0);

/** Mirrors CouponStats of the contract. */
export async function statisticsOf(coupon, range) {
  const rows = await byStatus.all(coupon.id, ...daysOf(range));
  const sold = rows.filter(({ status }) => ['processing', 'on-hold', 'completed'].includes(status));
  return {
    ...{ coupon_id: coupon.id, code: coupon.code, from: range.from ?? null, to: range.to ?? null },
    ...{ source: range.from ? 'live' : 'cache', retry_after: null, code_ambiguous: false, last_refreshed: null },
    orders_count: totalOf(sold, 'orders'),
    ...{ total_sales: totalOf(sold, 'sales') / 100, total_discount: totalOf(sold, 'discount') / 100 },
    ...{ total_shipping: totalOf(sold, 'shipping') / 100, total_commission: totalOf(sold, 'commission') / 100 },
    status_counts: Object.fromEntries(rows.map(({ status, orders }) => [status, orders])),
    ...balancesOf(coupon),
  };
}

const rateOf = ({ clicks, conversions }) => (clicks === 0 ? 0 : Math.round((conversions / clicks) * 10_000) / 100);

/** Mirrors ReportSummary of the contract. */
export async function reportOf(range) {
  const days = daysOf(range);
  const [now, sales, balances, pending, paid, clicks, best] = await Promise.all([
    standing.get(),
    allSales.get(...days),
    allBalances.get(),
    pendingPayouts.get(),
    paidPayouts.get(...days),
    countClicks.get(...days),
    bestAffiliates.all(...days),
  ]);
  return {
    ...{
      generated: local(Date.now()),
      cached: false,
      currency: store.currency,
      timezone: 'UTC',
      from: range.from ?? null,
      to: range.to ?? null,
    },
    totals: {
      ...{ affiliates: now.affiliates, coupons: now.coupons, orders_count: sales.orders, total_sales: sales.sales / 100 },
      ...{ total_commission: sales.commission / 100, total_discount: sales.discount / 100, ...balancesOf(now) },
    },
    balances: {
      ...{ referred_commission: balances.referred / 100, multi_level_commission: 0, handed_over_commission: 0 },
      ...{ awaiting_payment_commission: balances.awaiting / 100, total: (balances.referred + balances.awaiting) / 100 },
    },
    payouts: {
      ...{ pending_count: pending.count, pending_amount: pending.amount / 100, paid_count: paid.count, paid_amount: paid.amount / 100 },
    },
    clicks: { ...clicks, conversion_rate: rateOf(clicks) },
    pending_registrations: now.registrations,
    top_affiliates: best.map(({ id, login, email, display_name, orders, sales: sold, commission }) => ({
      ...{ user_id: id, user: { id, login, email, display_name } },
      ...{ orders_count: orders, total_sales: sold / 100, total_commission: commission / 100 },
    })),
  };
}

/** Mirrors ClickStats of the contract. */
export async function clicksOf(range) {
  const { visitors, ...counts } = await countVisitors.get(...daysOf(range));
  const filter = { coupon_id: null, campaign: null, from: range.from ?? null, to: range.to ?? null };
  return { ...filter, ...counts, conversion_rate: rateOf(counts), unique_clicks: visitors };
}

/** Mirrors Event of the contract. */
const eventView = ({ id, kind, type, object_id, object_type, user_id, info, data, created_at }) => ({
  ...{ id, event: kind, type, event_id: object_id, object_type, user_id, info, data: JSON.parse(data), date: local(created_at) },
});

export async function eventsOf({ after, page, per_page: perPage }) {
  const [{ total }, rows] = await Promise.all([countEvents.get(after), eventsAfter.all(after, perPage, (page - 1) * perPage)]);
  return { total, events: rows.map(eventView) };
}
