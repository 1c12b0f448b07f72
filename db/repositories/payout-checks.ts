import type { EntityManager } from 'typeorm';
import { openStatuses } from '../../domain/payouts/steps.ts';
import type { WrongCount, WrongPool } from '../../domain/payouts/store.ts';
import { toSafeInteger } from '../entities/columns.ts';

type Row = Record<string, unknown>;

const open = openStatuses.map((status) => `'${status}'`).join(', ');

// What each coupon's payouts say its pools must hold.
const findWrongPools = `
  with said as (
    select coupon_id,
      sum(case when status in (${open}) then amount_minor else 0 end) as pending,
      sum(case when status = 'paid' then amount_minor else 0 end) as paid
    from payouts group by coupon_id
  ),
  pools as (
    select id, code, 'pending_payout' as pool, pending_payout_minor as kept, coalesce(said.pending, 0) as in_payouts
    from coupons left join said on said.coupon_id = coupons.id
    union all
    select id, code, 'paid', paid_minor, coalesce(said.paid, 0) from coupons left join said on said.coupon_id = coupons.id
  )
  select * from pools where kept <> in_payouts order by id, pool`;

export async function wrongPools(manager: EntityManager): Promise<WrongPool[]> {
  const rows: Row[] = await manager.query(findWrongPools);
  return rows.map((row) => ({
    couponId: toSafeInteger(row['id']),
    code: String(row['code']),
    pool: row['pool'] as WrongPool['pool'],
    kept: toSafeInteger(row['kept']),
    inPayouts: toSafeInteger(row['in_payouts']),
  }));
}

const reads = "case status when 'processing' then 'created' when 'failed' then 'cancel' else status end";

const counted = `
  select 'all' as scope, 0 as scope_id, day, ${reads} as status, amount_minor from payouts
  union all select 'user', user_id, day, ${reads}, amount_minor from payouts
  union all select 'coupon', coupon_id, day, ${reads}, amount_minor from payouts
  union all select 'paid', 0, paid_day, 'paid', amount_minor from payouts where paid_day is not null`;

const findWrongCounts = `
  select scope, scope_id, day, status, sum(kept) as kept, sum(counted) as counted,
    sum(kept_amount) as kept_amount, sum(counted_amount) as counted_amount
  from (
    select scope, scope_id, day, status, count as kept, 0 as counted, amount_minor as kept_amount, 0 as counted_amount from payout_days
    union all select scope, scope_id, day, status, 0, 1, 0, amount_minor from (${counted}) as found
  ) as both_ways
  group by scope, scope_id, day, status having sum(kept) <> sum(counted) or sum(kept_amount) <> sum(counted_amount)
  order by scope, scope_id, day, status`;

export async function wrongCounts(manager: EntityManager): Promise<WrongCount[]> {
  const rows: Row[] = await manager.query(findWrongCounts);
  return rows.map((row) => ({
    scope: String(row['scope']),
    scopeId: toSafeInteger(row['scope_id']),
    day: String(row['day']),
    status: String(row['status']),
    kept: toSafeInteger(row['kept']),
    counted: toSafeInteger(row['counted']),
    keptAmount: toSafeInteger(row['kept_amount']),
    countedAmount: toSafeInteger(row['counted_amount']),
  }));
}
