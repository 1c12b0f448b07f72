import type { SqlDialect } from './dialect.ts';
import type { Size } from './sizes.ts';

/** SQL that concatenates a text with the expressions in it: `Order «source»` becomes `'Order ' || (source) || ''`. */
const concat = (template: string): string =>
  template
    .split(/[«»]/)
    .map((part, index) => (index % 2 === 0 ? `'${part}'` : `(${part})`))
    .join(' || ');

const money = (minor: string): string => `«(${minor}) / 100».«case when (${minor}) % 100 < 10 then '0' else '' end»«(${minor}) % 100»`;

/** Ids and order first, in narrow rows that are quickly sorted, then the texts. */
export function eventStatements({ orders, coupons }: Size, dialect: SqlDialect): string[] {
  return [
    `create table bench_feed as
     select row_number() over (order by at, step, source) as id, row_number() over (partition by kind order by at, step, source) as ordinal,
       kind, source, at from (${occurrences(orders, dialect)}) as occurrences`,
    `insert into events (id, kind, ordinal, type, object_type, object_id, user_id, info, data, created_at) ${texts(coupons, dialect)}`,
    'drop table bench_feed',
  ];
}

const occurrences = (orders: number, { upTo }: SqlDialect): string => `
    select 1 as step, 'referral' as kind, order_id as source, placed_at as at from orders
    union all select 2, 'commission_added', order_id, placed_at from orders where commission_status = 'granted' and commission_minor > 0
    union all select 3, 'payout_request', id, requested_at from payouts
    union all select 4, case status when 'paid' then 'payout_paid' else 'payout_cancelled' end, id, requested_at + 172800000
      from payouts where status <> 'pending'
    union all select 5, 'payout_details', i, (select max(placed_at) from orders) - i from ${upTo(Math.floor(orders * 0.56))}`;

function texts(coupons: number, { local }: SqlDialect): string {
  const byKind = (referral: string, commission: string, details: string, payout: string): string =>
    `case kind when 'referral' then ${referral} when 'commission_added' then ${commission} when 'payout_details' then ${details} else ${payout} end`;
  const owner = `(2 + source % ${coupons})`;
  const commission = money('orders.commission_minor');
  const cleared = 'Order «source» was cleared.';
  const coupon = '"coupon_id":«coupons.id»,"coupon":"«coupons.code»","user_id":«coupons.user_id»';
  const status = `«case kind when 'payout_request' then 'pending' when 'payout_paid' then 'paid' else 'cancel' end»`;
  const datePaid = `«case kind when 'payout_paid' then '"' || ${local('payouts.paid_at')} || '"' else 'null' end»`;
  const type = `case kind when 'referral' then 'referral.created' when 'commission_added' then 'commission.added'
    when 'payout_details' then 'affiliate.payout_details_updated' when 'payout_request' then 'payout.requested'
    when 'payout_paid' then 'payout.paid' else 'payout.cancelled' end`;
  const info = byKind(
    concat('Order «source» was referred by «coupons.code».'),
    concat(`${commission} USD was added to «coupons.code»: ${cleared}`),
    concat(`User «${owner}» saved payout details.`),
    concat(`Payout «source» of ${money('payouts.amount_minor')} USD`),
  );
  const data = byKind(
    concat(`{"order_id":«source»,${coupon},"commission":${commission}}`),
    concat(`{${coupon},"amount":${commission},"note":"${cleared}","order_id":«source»}`),
    concat(`{"user_id":«${owner}»,"method_type":"paypal","has_details":true}`),
    concat(
      `{"payout_id":«source»,"user_id":«payouts.user_id»,"coupon_id":«payouts.coupon_id»,"amount":${money('payouts.amount_minor')},` +
        `"method":"PayPal","method_type":"paypal","status":"${status}","date":"«${local('payouts.requested_at')}»","date_paid":${datePaid}}`,
    ),
  );
  return `
    select bench_feed.id, kind, ordinal, ${type}, ${byKind("'order'", "'order'", "'user'", "'payout'")},
      case kind when 'payout_details' then ${owner} else source end, 0, ${info}, ${data}, at
    from bench_feed
    left join orders on kind in ('referral', 'commission_added') and orders.order_id = source
    left join coupons on coupons.id = orders.coupon_id
    left join payouts on kind in ('payout_request', 'payout_paid', 'payout_cancelled') and payouts.id = source
    order by bench_feed.id`;
}
