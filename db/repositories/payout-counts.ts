import type { EntityManager } from 'typeorm';
import type { NewPayout } from '../../domain/payouts/payout.ts';
import { type PublicStatus, readsAs } from '../../domain/payouts/steps.ts';
import type { PayoutFigures } from '../../domain/payouts/store.ts';
import { type DayRange, isOpen } from '../../domain/range.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { Conditions } from '../sql/conditions.ts';
import { jsonRows, jsonTable } from '../sql/json-parameters.ts';

// Counting payouts takes the longer the more there are. So how many there are is kept beside them, in the same transaction.

type Scope = 'all' | 'user' | 'coupon' | 'paid';

interface Counted {
  scope: Scope;
  scopeId: number;
  day: string;
  status: PublicStatus;
}

/** Every count that a payout is part of. */
function countsOf({ userId, couponId, day, status, paidDay }: NewPayout): Counted[] {
  const requested = { day, status: readsAs(status) };
  return [
    { scope: 'all', scopeId: 0, ...requested },
    { scope: 'user', scopeId: userId, ...requested },
    { scope: 'coupon', scopeId: couponId, ...requested },
    ...(paidDay === null ? [] : [{ scope: 'paid' as const, scopeId: 0, day: paidDay, status: 'paid' as const }]),
  ];
}

const columns = { scope: 'text', scope_id: 'bigint', day: 'text', status: 'text', count: 'bigint', amount_minor: 'bigint' } as const;

// `where true`, because SQLite would take "on conflict" for the condition of a join.
const addCounts = (manager: EntityManager): string => `
  insert into payout_days (${Object.keys(columns).join(', ')})
  select ${Object.keys(columns).join(', ')} from ${jsonTable(manager, columns)} as given where true
  on conflict (scope, scope_id, day, status) do update set
    count = payout_days.count + excluded.count, amount_minor = payout_days.amount_minor + excluded.amount_minor`;

/** A payout leaves the counts of what it was and joins those of what it is. */
export async function countPayout(manager: EntityManager, before: NewPayout | null, after: NewPayout): Promise<void> {
  const isSame = before !== null && readsAs(before.status) === readsAs(after.status);
  if (isSame) return;
  const change = (payout: NewPayout, sign: 1 | -1): unknown[][] =>
    countsOf(payout).map(({ scope, scopeId, day, status }) => [scope, scopeId, day, status, sign, sign * payout.amount]);
  await manager.query(addCounts(manager), jsonRows([...(before ? change(before, -1) : []), ...change(after, 1)]));
}

/** The kept counts of all payouts, or of those of one user or one coupon. */
export const countsWithin = (scope: Scope, scopeId: number, range: DayRange, status?: PublicStatus): Conditions => {
  const conditions = new Conditions().and('scope = ?', scope).and('scope_id = ?', scopeId).within('day', range);
  return status === undefined ? conditions : conditions.and('status = ?', status);
};

interface Sum {
  count: number;
  amount: number;
}

export async function sumOf(manager: EntityManager, { where, values }: Conditions): Promise<Sum> {
  const [row]: Record<string, unknown>[] = await manager.query(
    `select coalesce(sum(count), 0) as count, coalesce(sum(amount_minor), 0) as amount from payout_days ${where}`,
    values,
  );
  return { count: toSafeInteger(row?.['count']), amount: toSafeInteger(row?.['amount']) };
}

const always: DayRange = { from: null, to: null };

export async function payoutFigures(manager: EntityManager, range: DayRange): Promise<PayoutFigures> {
  const open = await sumOf(manager, countsWithin('all', 0, always).isOneOf('status', ['pending', 'created']));
  // Without a range it is the same by the day of the request and by the day of payment.
  const paid = await sumOf(manager, countsWithin(isOpen(range) ? 'all' : 'paid', 0, range, 'paid'));
  return { pendingCount: open.count, pendingAmount: open.amount, paidCount: paid.count, paidAmount: paid.amount };
}
