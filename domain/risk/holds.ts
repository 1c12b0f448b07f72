import type { PayoutDetails } from '../payout-details/payout-details.ts';
import { dayMs, formatCount, hourMs } from './rules.ts';
import type { RiskKind, Signal, SignalRepository } from './signal.ts';

/** Which payouts wait until a person has looked. */
export interface HoldPolicy {
  /** The kinds of signals that hold. Empty: none does. */
  kinds: readonly RiskKind[];
  /** Which of them are enabled, so that what would open one holds as well. */
  detailsChangedHours: number | null;
  holdsDebts: boolean;
}

export const holdNothing: HoldPolicy = { kinds: [], detailsChangedHours: null, holdsDebts: false };

interface RiskRepositories {
  riskSignals: SignalRepository;
}

/** For each of these users whose payouts are held, why: a sentence without a capital and a full stop. */
export async function listHolds(
  { riskSignals }: RiskRepositories,
  userIds: readonly number[],
  { kinds }: HoldPolicy,
): Promise<Map<number, string>> {
  const holding = await riskSignals.holding([...new Set(userIds)], kinds);
  return new Map(holding.map(({ id, kind, userId, text }) => [userId, `risk signal ${id} (${kind}) holds it: ${text.replace(/\.$/, '')}`]));
}

interface RequestedPayout {
  userId: number;
  details: PayoutDetails | null;
  /** Over all coupons. */
  unpaid: number;
}

/**
 * Why a payout that is requested now is not accepted automatically, or null. What opens a signal with this request holds it already: the
 * money would be gone before the next scan.
 */
export async function findHold(
  { riskSignals }: RiskRepositories,
  { userId, details, unpaid }: RequestedPayout,
  policy: HoldPolicy,
  now: number,
): Promise<string | null> {
  if (policy.kinds.length === 0) return null;
  const held = (await listHolds({ riskSignals }, [userId], policy)).get(userId);
  if (held !== undefined) return held;
  const latest = new Map((await riskSignals.latestOf([userId])).map((signal) => [signal.kind, signal]));
  const hours = policy.detailsChangedHours;
  const isReplaced =
    hours !== null && details !== null && details.updatedAt > details.firstSavedAt && now - details.updatedAt <= hours * hourMs;
  if (isReplaced && !isDismissedSince(latest.get('details_changed'), details.updatedAt))
    return `the payout details were replaced within ${formatCount(hours, 'hour')} before the request`;
  if (policy.holdsDebts && unpaid < 0 && !isDismissedSince(latest.get('debt'), now - 90 * dayMs))
    return 'the unpaid commission over all coupons is below zero';
  return null;
}

const isDismissedSince = (signal: Signal | undefined, moment: number): boolean =>
  signal?.status === 'dismissed' && (signal.decidedAt ?? 0) >= moment;
