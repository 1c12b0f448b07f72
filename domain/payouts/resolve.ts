import { ApiError } from '../errors.ts';
import type { Surroundings } from '../orders/surroundings.ts';
import type { Transaction } from '../ports.ts';
import type { NamedPayout } from './payout.ts';
import { stepBetween } from './steps.ts';
import { takeStep } from './take-step.ts';

export const resolutions = ['pending', 'created', 'paid'] as const;
export type Resolution = (typeof resolutions)[number];

/** What somebody has found out about a payout. */
export interface Told {
  to: Resolution;
  /** The provider's own number for it. */
  transactionId?: string;
  /** Although its gateway may still be at it. */
  atOnce: boolean;
}

/** Longer than a gateway takes: after that, whoever called it is gone. */
export const gatewayMilliseconds = 10 * 60_000;

export const isUnderWay = ({ requestedAt }: Pick<NamedPayout, 'requestedAt'>, now: number): boolean =>
  now - requestedAt < gatewayMilliseconds;

/**
 * A payout whose gateway was cut off in the middle: somebody has looked at the payment provider and says what became of it. It is what the
 * gateway would have said, so it is the gateway's step.
 */
export async function resolvePayout(
  transaction: Transaction,
  id: number,
  { to, transactionId, atOnce }: Told,
  surroundings: Surroundings,
): Promise<NamedPayout> {
  const payout = await transaction.payouts.byId(id);
  if (!payout) throw new ApiError('svc_api_not_found', { message: `There is no payout ${id}.` });
  const step = stepBetween(payout.status, to, 'gateway');
  if (!step) throw new ApiError('svc_api_invalid_transition', { message: `Payout ${id} is ${payout.status}, not processing.` });
  if (!atOnce && isUnderWay(payout, surroundings.now)) throw new ApiError('svc_api_in_progress', { message: underWay(id) });
  return takeStep(transaction, payout, step, surroundings, transactionId === undefined ? {} : { transactionId });
}

const underWay = (id: number): string =>
  `Payout ${id} was requested less than ten minutes ago, so its gateway may still be at it. Wait, or say --now if the service was ended since.`;
