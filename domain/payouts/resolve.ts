import { ApiError } from '../errors.ts';
import type { Surroundings } from '../orders/surroundings.ts';
import type { Transaction } from '../ports.ts';
import type { NamedPayout } from './payout.ts';
import { stepBetween } from './steps.ts';
import { takeStep } from './take-step.ts';

export const resolutions = ['pending', 'created', 'paid'] as const;
export type Resolution = (typeof resolutions)[number];

/**
 * A payout whose gateway was cut off in the middle: somebody has looked at the payment provider and says what became of it. It is what the
 * gateway would have said, so it is the gateway's step.
 */
export async function resolvePayout(
  transaction: Transaction,
  id: number,
  to: Resolution,
  surroundings: Surroundings,
): Promise<NamedPayout> {
  const payout = await transaction.payouts.byId(id);
  if (!payout) throw new ApiError('svc_api_not_found', { message: `There is no payout ${id}.` });
  const step = stepBetween(payout.status, to, 'gateway');
  if (!step) throw new ApiError('svc_api_invalid_transition', { message: `Payout ${id} is ${payout.status}, not processing.` });
  return takeStep(transaction, payout, step, surroundings);
}
