import type { Size } from './sizes.ts';
import type { Words } from './words.ts';

const money = (minor: string): string =>
  `(${minor}) / 100 || '.' || case when (${minor}) % 100 < 10 then '0' else '' end || (${minor}) % 100`;

// First only which event stands where, in narrow rows that are quickly sorted; then each with all that it tells.

export function events({ orders, coupons }: Size, words: Words): string[] {
  return [
    `create table bench_feed as
     select row_number() over (order by at, step, source) as id, row_number() over (partition by kind order by at, step, source) as ordinal,
       kind, source, at from (${happened(orders, words)}) as happened`,
    `insert into events (id, kind, ordinal, type, object_type, object_id, user_id, info, data, created_at) ${told(coupons, words)}`,
    'drop table bench_feed',
  ];
}

function happened(orders: number, { upTo }: Words): string {
  return `
    select 1 as step, 'referral' as kind, order_id as source, placed_at as at from orders
    union all select 2, 'commission_added', order_id, placed_at from orders where commission_status = 'granted' and commission_minor > 0
    union all select 3, 'payout_request', id, requested_at from payouts
    union all select 4, case status when 'paid' then 'payout_paid' else 'payout_cancelled' end, id, requested_at + 172800000
      from payouts where status <> 'pending'
    union all select 5, 'payout_details', i, (select max(placed_at) from orders) - i from ${upTo(Math.floor(orders * 0.56))}`;
}

const text = (...parts: string[]): string => parts.join(' || ');

function told(coupons: number, { local }: Words): string {
  const ofOrder = text(`'"coupon_id":'`, 'coupons.id', `',"coupon":"'`, 'coupons.code', `'","user_id":'`, 'coupons.user_id');
  const referral = text(`'{"order_id":'`, 'source', `','`, ofOrder, `',"commission":'`, money('orders.commission_minor'), `'}'`);
  const note = text(`'Order '`, 'source', `' was cleared.'`);
  const added = text(
    `'{'`,
    ofOrder,
    `',"amount":'`,
    money('orders.commission_minor'),
    `',"note":"'`,
    note,
    `'","order_id":'`,
    'source',
    `'}'`,
  );
  const owner = `(2 + source % ${coupons})`;
  const saved = text(`'{"user_id":'`, owner, `',"method_type":"paypal","has_details":true}'`);
  const payout = text(
    `'{"payout_id":'`,
    'source',
    `',"user_id":'`,
    'payouts.user_id',
    `',"coupon_id":'`,
    'payouts.coupon_id',
    `',"amount":'`,
    money('payouts.amount_minor'),
    `',"method":"PayPal","method_type":"paypal","status":"'`,
    `case kind when 'payout_request' then 'pending' when 'payout_paid' then 'paid' else 'cancel' end`,
    `'","date":"'`,
    local('payouts.requested_at'),
    `'","date_paid":'`,
    `case kind when 'payout_paid' then '"' || ${local('payouts.paid_at')} || '"' else 'null' end`,
    `'}'`,
  );
  const byKind = (ofReferral: string, ofCommission: string, ofDetails: string, ofPayout: string): string =>
    `case kind when 'referral' then ${ofReferral} when 'commission_added' then ${ofCommission}
      when 'payout_details' then ${ofDetails} else ${ofPayout} end`;
  const type = `case kind when 'referral' then 'referral.created' when 'commission_added' then 'commission.added'
    when 'payout_details' then 'affiliate.payout_details_updated' when 'payout_request' then 'payout.requested'
    when 'payout_paid' then 'payout.paid' else 'payout.cancelled' end`;
  const info = byKind(
    text(`'Order '`, 'source', `' was referred by '`, 'coupons.code', `'.'`),
    text(money('orders.commission_minor'), `' USD was added to '`, 'coupons.code', `': '`, note),
    text(`'User '`, owner, `' saved payout details.'`),
    text(`'Payout '`, 'source', `' of '`, money('payouts.amount_minor'), `' USD'`),
  );
  return `
    select bench_feed.id, kind, ordinal, ${type}, ${byKind("'order'", "'order'", "'user'", "'payout'")},
      case kind when 'payout_details' then ${owner} else source end, 0, ${info}, ${byKind(referral, added, saved, payout)}, at
    from bench_feed
    left join orders on kind in ('referral', 'commission_added') and orders.order_id = source
    left join coupons on coupons.id = orders.coupon_id
    left join payouts on kind in ('payout_request', 'payout_paid', 'payout_cancelled') and payouts.id = source
    order by bench_feed.id`;
}
