import type { EntityManager } from 'typeorm';
import type { DayRange } from '../../domain/dates.ts';
import type { WrongCount } from '../../domain/ledger/checks.ts';
import { type NewPayout, type PublicStatus, publicStatus } from '../../domain/payouts/payout.ts';
import { bigint, type EntityRow, text } from '../entities/columns.ts';
import { partsOfAll, payoutDays } from '../entities/payouts.ts';
import { Conditions } from '../sql/conditions.ts';
import { addExcluded, insertRows } from '../sql/insert.ts';
import { isPostgres, type Projection, projectionOf, resultColumns } from '../sql/projection.ts';
import { sum } from './ledger-checks.ts';

// By hand: counts of payouts by day, stored beside them in the same transaction (benchmark rows `request-payout` and `report-range`).

type PayoutCount = EntityRow<typeof payoutDays>;

/** Every stored count that a payout is part of, with this many and this amount. `part` is that of the counts of all payouts. */
function countsOf({ userId, couponId, day, status, paidDay, amount }: NewPayout, count: 1 | -1, part: number): PayoutCount[] {
  const requested = { day, status: publicStatus(status), count, amount: count * amount };
  return [
    { scope: 'all', scopeId: part, ...requested },
    { scope: 'user', scopeId: userId, ...requested },
    { scope: 'coupon', scopeId: couponId, ...requested },
    ...(paidDay === null ? [] : [{ ...requested, scope: 'paid', scopeId: part, day: paidDay, status: 'paid' } as const]),
  ];
}

const counted = projectionOf(payoutDays, ['count', 'amount']);
const addCounts = `on conflict (scope, scope_id, day, status) do update set ${addExcluded('payout_days', counted)}`;

/** A payout leaves the counts of its former status and joins those of its new one. */
export async function countPayout(manager: EntityManager, before: NewPayout | null, after: NewPayout): Promise<void> {
  if (before !== null && publicStatus(before.status) === publicStatus(after.status)) return;
  const part = isPostgres(manager) ? after.couponId % partsOfAll.length : 0;
  await insertRows(manager, payoutDays, [...(before ? countsOf(before, -1, part) : []), ...countsOf(after, 1, part)], addCounts);
}

/** The stored counts of all payouts, or of those of one user or one coupon. */
export const countsWithin = (scope: PayoutCount['scope'], scopeId: number | null, range: DayRange, status?: PublicStatus): Conditions => {
  const conditions = new Conditions()
    .and('scope = ?', scope)
    .isOneOf('scope_id', scopeId === null ? partsOfAll : [scopeId])
    .within('day', range);
  return status === undefined ? conditions : conditions.and('status = ?', status);
};

export async function sumCounts(manager: EntityManager, { where, values }: Conditions): Promise<{ count: number; amount: number }> {
  const [row] = await manager.query(`select ${counted.sums()} from payout_days ${where}`, values);
  return counted.toObject(row);
}

// Payouts, beside the counts that are stored of them. Nothing reads other parts of the counts of all, which would hide a difference here.

const shownStatus = "case status when 'processing' then 'created' when 'failed' then 'cancel' else status end";

const countedPayouts = `
  select 'all' as scope, 0 as scope_id, day, ${shownStatus} as status, amount_minor from payouts
  union all select 'user', user_id, day, ${shownStatus}, amount_minor from payouts
  union all select 'coupon', coupon_id, day, ${shownStatus}, amount_minor from payouts
  union all select 'paid', 0, paid_day, 'paid', amount_minor from payouts where paid_day is not null`;

export const selectWrongCounts = `
  select scope, scope_id, day, status, sum(kept) as kept, sum(counted) as counted,
    sum(kept_amount) as kept_amount, sum(counted_amount) as counted_amount
  from (
    select scope, case when scope in ('all', 'paid') and scope_id in (${partsOfAll.join(', ')}) then 0 else scope_id end as scope_id, day, status,
      count as kept, 0 as counted, amount_minor as kept_amount, 0 as counted_amount
    from payout_days
    union all select scope, scope_id, day, status, 0, 1, 0, amount_minor from (${countedPayouts}) as found
  ) as both_ways
  group by scope, scope_id, day, status having sum(kept) <> sum(counted) or sum(kept_amount) <> sum(counted_amount)`;

export const wrongCount: Projection<WrongCount> = resultColumns({
  scope: text('scope'),
  scopeId: bigint('scope_id'),
  day: text('day'),
  status: text('status'),
  kept: sum('kept'),
  counted: sum('counted'),
  keptAmount: sum('kept_amount'),
  countedAmount: sum('counted_amount'),
});
