import { ApiError } from '../errors.ts';
import type { ChangeContext } from '../orders/change-context.ts';
import type { Transaction } from '../ports.ts';
import { applyTransition } from './apply-transition.ts';
import type { NamedPayout } from './payout.ts';
import { findTransition } from './transitions.ts';

export const resolutions = ['pending', 'created', 'paid'] as const;
export type Resolution = (typeof resolutions)[number];

/** What the payment provider says about a payout whose gateway call was interrupted. */
export interface PayoutResolution {
  to: Resolution;
  /** The provider's transaction id. */
  transactionId?: string;
  /** Resolve although the gateway call may still run. */
  atOnce: boolean;
}

/** Longer than a gateway call: after that, the process that made it has ended. */
export const gatewayMilliseconds = 10 * 60_000;

export const mayBeInProgress = ({ requestedAt }: Pick<NamedPayout, 'requestedAt'>, now: number): boolean =>
  now - requestedAt < gatewayMilliseconds;

/**
 * Resolves a payout whose gateway call was interrupted, by what the operator found at the payment provider. It is recorded as the gateway's
 * transition.
 */
export async function resolvePayout(
  transaction: Transaction,
  id: number,
  { to, transactionId, atOnce }: PayoutResolution,
  context: ChangeContext,
): Promise<NamedPayout> {
  const payout = await transaction.payouts.byId(id);
  if (!payout) throw new ApiError('svc_api_not_found', { message: `There is no payout ${id}.` });
  const transition = findTransition(payout.status, to, 'gateway');
  if (!transition) throw new ApiError('svc_api_invalid_transition', { message: `Payout ${id} is ${payout.status}, not processing.` });
  if (!atOnce && mayBeInProgress(payout, context.now)) throw new ApiError('svc_api_in_progress', { message: inProgressMessage(id) });
  return applyTransition(transaction, payout, transition, context, transactionId === undefined ? {} : { transactionId });
}

const inProgressMessage = (id: number): string =>
  `Payout ${id} was requested less than ten minutes ago, so its gateway may still be working on it. Wait, or pass --now if the service was stopped since.`;
