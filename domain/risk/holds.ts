import { inWords, type Minor } from '../money.ts';
import type { ChangeContext } from '../orders/order-change.ts';
import { formatCount, hourMs, quietMs } from './rules.ts';
import type { RiskKind, RiskSeverity, SignalRepository } from './signal.ts';

/** Which payouts wait until a person has looked. */
export interface HoldPolicy {
  /** Of signals that hold. Empty: none does. */
  severities: readonly RiskSeverity[];
  /** Which of them are enabled, so that what would open one holds as well. */
  detailsChangedHours: number | null;
  holdsDebts: boolean;
}

export const holdNothing: HoldPolicy = { severities: [], detailsChangedHours: null, holdsDebts: false };

interface RequestedPayout {
  userId: number;
  requestedAt: number;
  /** When the payee last replaced the payout details. Null if they are those that were saved first. */
  replacedAt: number | null;
  /** When a record of the store last changed the email address. */
  emailChangedAt: number | null;
  /** The payee's unpaid commission over all coupons, without this payout. */
  unpaid: Minor;
}

/**
 * For each of these payouts why it is held, or null: a sentence without a capital and a full stop. What opens a signal with the next scan holds
 * it already, unless a signal about it was dismissed: the money would be gone before.
 */
export async function listHolds(
  { riskSignals }: { riskSignals: SignalRepository },
  payouts: readonly RequestedPayout[],
  { severities, detailsChangedHours: hours, holdsDebts }: HoldPolicy,
  { now, program }: Pick<ChangeContext, 'now' | 'program'>,
): Promise<(string | null)[]> {
  if (severities.length === 0) return payouts.map(() => null);
  const userIds = [...new Set(payouts.map(({ userId }) => userId))];
  const holding = new Map((await riskSignals.holding(userIds, severities)).map((signal) => [signal.userId, signal]));
  const latest = new Map((await riskSignals.latestOf(userIds)).map((signal) => [`${signal.userId} ${signal.kind}`, signal]));
  return payouts.map(({ userId, requestedAt, replacedAt, emailChangedAt, unpaid }) => {
    const isDismissedSince = (kind: RiskKind, moment: number): boolean => {
      const signal = latest.get(`${userId} ${kind}`);
      return signal?.status === 'dismissed' && (signal.decidedAt ?? 0) >= moment;
    };
    const signal = holding.get(userId);
    if (signal) return `risk signal ${signal.id} (${signal.kind}) holds it: ${signal.text.replace(/\.$/, '')}`;
    if (holdsDebts && unpaid < 0 && !isDismissedSince('debt', now - quietMs)) return describeDebt(unpaid, program.currency);
    if (hours === null) return null;
    const isRecent = (at: number | null): at is number =>
      at !== null && requestedAt - at <= hours * hourMs && !isDismissedSince('details_changed', at);
    const before = `within ${formatCount(hours, 'hour')} before the request`;
    if (isRecent(replacedAt)) return replacedAt > requestedAt ? replacedAfterRequest : `the payout details were replaced ${before}`;
    if (!isRecent(emailChangedAt)) return null;
    return `the email address was changed ${emailChangedAt > requestedAt ? 'after the request' : before}`;
  });
}

export const describeDebt = (unpaid: Minor, currency: string): string =>
  `the affiliate owes ${inWords(-unpaid, currency)} over all coupons`;

export const replacedAfterRequest = 'the payout details were replaced after the request';
