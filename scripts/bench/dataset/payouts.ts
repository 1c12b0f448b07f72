import type { SqlDialect } from './dialect.ts';

const dayMilliseconds = 86_400_000;

/** About one for every tenth order, of its commission. The last one of every fourth coupon is still open. */
export function payoutStatements({ day, ownIds }: SqlDialect): string[] {
  const requested = `select order_id, coupon_id, commission_minor, placed_at + ${dayMilliseconds} as requested,
      row_number() over (order by order_id) as id, row_number() over (partition by coupon_id order by order_id desc) as from_last
    from orders where order_id % 20 in (4, 7) and commission_status = 'granted' and commission_minor > 0`;
  const settled = `select requests.*, requested + 2 * ${dayMilliseconds} as settled,
      case when from_last = 1 and coupon_id % 4 = 0 then 'pending' when id % 10 = 0 then 'cancel' else 'paid' end as status
    from (${requested}) as requests`;
  const ifPaid = (value: string): string => `case when status = 'paid' then ${value} end`;
  return [
    `insert into payouts (id, user_id, coupon_id, amount_minor, method, method_type, has_details, status, transaction_id, invoice_id, day,
       requested_at, paid_day, paid_at) ${ownIds}
     select id, coupon_id + 1, coupon_id, commission_minor, 'PayPal', 'paypal', 1, status, '', 0, ${day('requested')}, requested,
       ${ifPaid(day('settled'))}, ${ifPaid('settled')}
     from (${settled}) as settled_payouts order by id`,
    ...[
      ['all', '0', 'day', 'status', ''],
      ['user', 'user_id', 'day', 'status', ''],
      ['coupon', 'coupon_id', 'day', 'status', ''],
      ['paid', '0', 'paid_day', "'paid'", 'where paid_day is not null'],
    ].map(countPayouts),
  ];
}

const countPayouts = ([scope, id, day, status, where]: string[]): string =>
  `insert into payout_days (scope, scope_id, day, status, count, amount_minor)
   select '${scope}', scope_id, day, status, count(*), sum(amount_minor)
   from (select ${id} as scope_id, ${day} as day, ${status} as status, amount_minor from payouts ${where}) as counted
   group by scope_id, day, status`;

/** Two postings for each movement, and the balances of coupons. */
export function ledgerStatements(): string[] {
  return [
    movements({
      from: "select 'o.' || order_id as movement, *, case commission_status when 'granted' then 'unpaid' else 'pending_order' end as pool from orders where commission_minor > 0",
      pools: ["'store'", 'pool'],
      reason: "case commission_status when 'granted' then 'order_granted' else 'order' end",
      values: ['commission_minor', 'order_id', 'null', "'Order ' || order_id || ' was recorded.'", 'placed_at'],
    }),
    movements({
      from: "select 'p.' || id as movement, payouts.* from payouts",
      pools: ["'unpaid'", "'pending_payout'"],
      reason: "'payout'",
      values: ['amount_minor', 'null', 'id', "'Payout ' || id || ': requested'", 'requested_at'],
    }),
    movements({
      from: "select 's.' || id as movement, payouts.*, case status when 'paid' then 'paid' else 'unpaid' end as pool from payouts where status <> 'pending'",
      pools: ["'pending_payout'", 'pool'],
      reason: "'payout'",
      values: ['amount_minor', 'null', 'id', "'Payout ' || id || ': ' || status", `requested_at + 2 * ${dayMilliseconds}`],
    }),
    balances,
  ];
}

interface Movements {
  from: string;
  pools: [from: string, to: string];
  reason: string;
  /** Amount, order, payout, note and moment. */
  values: [string, string, string, string, string];
}

const movements = ({ from, pools, reason, values: [amount, order, payout, note, at] }: Movements): string =>
  `insert into ledger (movement, coupon_id, pool, amount_minor, reason, order_id, payout_id, user_id, note, created_at)
   select movement, coupon_id, case side when 1 then ${pools[1]} else ${pools[0]} end, side * ${amount}, ${reason},
     ${order}, ${payout}, 0, ${note}, ${at}
   from (${from}) as moved cross join (select -1 as side union all select 1) as sides`;

const pools = ['unpaid', 'pending_order', 'pending_payout', 'paid'];

const balances = `
  update coupons set ${pools.map((pool) => `${pool}_minor = held.${pool}`).join(', ')} from (
    select coupon_id, ${pools.map((pool) => `sum(case when pool = '${pool}' then amount_minor else 0 end) as ${pool}`).join(', ')}
    from ledger group by coupon_id
  ) as held where held.coupon_id = coupons.id`;
