import type { EntityManager } from 'typeorm';
import type { Found, LedgerProofs, PayoutFlaw, StrangePayout, WrongSum } from '../../domain/ledger/checks.ts';
import { orderReasons } from '../../domain/ledger/movement.ts';
import { openStatuses } from '../../domain/payouts/steps.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { found, listed, type Row } from '../sql/top-n.ts';

// What orders, their shares and payouts say of the pools, beside what their movements did there. The two are put under each other and
// summed, which both engines do in one pass, and which finds what only one side knows of.

export const sumProofs = (
  manager: EntityManager,
): Pick<LedgerProofs, 'wrongOrders' | 'wrongShares' | 'wrongPayouts' | 'strangePayouts'> => ({
  wrongOrders: (limit) => wrongSums(manager, saidByOrders, movedForOrders, limit),
  wrongShares: (limit) => wrongSums(manager, saidByShares, movedForShares, limit),
  wrongPayouts: (limit) => wrongSums(manager, saidByPayouts, movedForPayouts, limit),
  strangePayouts: (limit) => strangePayouts(manager, limit),
});

// A reversed order has given back everything: whatever it still says lies nowhere.
const saidByOrders = `
  select order_id as id, coupon_id,
    case commission_status when 'pending' then 'pending_order' when 'granted' then 'unpaid' else 'store' end as pool,
    commission_minor as said, 0 as moved
  from orders where commission_minor <> 0`;

const movedForOrders = `
  select order_id, coupon_id, pool, 0, amount_minor from ledger
  where reason in (${listed(orderReasons)}) and order_id is not null and pool <> 'store'`;

const saidByShares = `
  select order_id as id, coupon_id, 'unpaid' as pool, amount_minor as said, 0 as moved from order_shares where amount_minor <> 0`;

const movedForShares = `
  select order_id, coupon_id, pool, 0, amount_minor from ledger where reason = 'mla' and order_id is not null and pool <> 'store'`;

const open = listed(openStatuses);

const saidByPayouts = `
  select id, coupon_id, case when status = 'paid' then 'paid' else 'pending_payout' end as pool, amount_minor as said, 0 as moved
  from payouts where status = 'paid' or status in (${open})
  union all
  select id, coupon_id, 'unpaid', -amount_minor, 0 from payouts where status = 'paid' or status in (${open})`;

const movedForPayouts = 'select payout_id, coupon_id, pool, 0, amount_minor from ledger where payout_id is not null';

const wrongSums = (manager: EntityManager, said: string, moved: string, limit: number): Promise<Found<WrongSum>> => {
  const question = `
    select id, coupon_id, pool, sum(said) as said, sum(moved) as moved from (${said} union all ${moved}) as both_sides
    group by id, coupon_id, pool having sum(said) <> sum(moved)`;
  return found(manager, { question, order: 'id, coupon_id, pool' }, limit, (row) => ({
    id: toSafeInteger(row['id']),
    couponId: toSafeInteger(row['coupon_id']),
    pool: String(row['pool']),
    said: toSafeInteger(row['said']),
    moved: toSafeInteger(row['moved']),
  }));
};

// One that was cancelled has moved nothing in the end, so its sums do not miss movements that are gone.
const flaws: Record<PayoutFlaw, string> = {
  'no movements': 'moved.payout_id is null',
  'paid without a day': "payouts.status = 'paid' and (payouts.paid_at is null or payouts.paid_day is null)",
  'a day without being paid': "payouts.status <> 'paid' and (payouts.paid_at is not null or payouts.paid_day is not null)",
};

const findStrangePayouts = `
  select * from (
    select payouts.id, payouts.coupon_id, payouts.amount_minor, payouts.status,
      case ${Object.entries(flaws)
        .map(([flaw, condition]) => `when ${condition} then '${flaw}'`)
        .join(' ')} end as flaw
    from payouts left join (select distinct payout_id from ledger where payout_id is not null) as moved on moved.payout_id = payouts.id
  ) as looked_at where flaw is not null`;

const strangePayouts = (manager: EntityManager, limit: number): Promise<Found<StrangePayout>> =>
  found(manager, { question: findStrangePayouts, order: 'id' }, limit, (row: Row) => ({
    id: toSafeInteger(row['id']),
    couponId: toSafeInteger(row['coupon_id']),
    amount: toSafeInteger(row['amount_minor']),
    status: String(row['status']),
    flaw: row['flaw'] as PayoutFlaw,
  }));
