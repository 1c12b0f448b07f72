import { ApiError } from '../errors.ts';
import type { Surroundings } from '../orders/surroundings.ts';
import type { Stores, Transaction } from '../ports.ts';
import type { NamedPayout } from './payout.ts';
import { needs, type PublicStatus, type Step, stepBetween } from './steps.ts';
import { takeStep } from './take-step.ts';

export interface Change {
  payout: NamedPayout;
  step: Step;
}

/** The change, if the table has it for the payout as it stands. It may stand otherwise when it comes to changing it. */
export async function changeOf({ payouts }: Stores, id: number, to: PublicStatus): Promise<Change> {
  const payout = await payouts.byId(id);
  if (!payout) throw new ApiError('svc_api_not_found');
  if (payout.status === to) throw new ApiError('svc_api_no_change');
  const step = stepBetween(payout.status, to, 'admin');
  if (!step) throw new ApiError('svc_api_invalid_transition');
  return { payout, step };
}

/** Bookkeeping only: no gateway hears of it. */
export async function changePayout(transaction: Transaction, { payout, step }: Change, surroundings: Surroundings): Promise<NamedPayout> {
  if (needs(step, 'free_slot') && (await transaction.payouts.openOf(payout.couponId))) throw new ApiError('svc_api_conflict');
  const held = await transaction.ledger.balance(payout.couponId, 'unpaid');
  const changed = await takeStep(transaction, payout, step, surroundings);
  // After the step: who lost the race for it did not lack money, somebody else has just taken it.
  if (needs(step, 'unpaid_holds_amount') && held < payout.amount) throw new ApiError('svc_api_insufficient_unpaid');
  return changed;
}
