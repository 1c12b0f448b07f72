import { dayOf } from '../dates.ts';
import { ApiError } from '../errors.ts';
import type { Minor } from '../money.ts';
import type { ChangeContext } from '../orders/order-change.ts';
import { type MethodType, methodOf } from '../payout-details/payout-details.ts';
import type { HoldPolicy } from '../risk/holds.ts';
import type { Transaction } from '../unit-of-work.ts';
import { paymentDate, recordTransition, type TransitionRepositories } from './apply-transition.ts';
import type { PayoutClaim, PayoutRules } from './eligibility.ts';
import type { Pay } from './gateway.ts';
import { findTransition, type NamedPayout, type NewPayout, type Payout } from './payout.ts';

/** The store's payout settings. */
export interface PayoutPolicy {
  rules: PayoutRules;
  labels: Record<MethodType, string>;
  /** Requests up to this amount go to a gateway without review. Null if all are reviewed. `pay` is null in a dry run, undefined if there is no such gateway. */
  acceptance: { maxAmount: Minor; gateway: string; pay: Pay | null | undefined } | null;
  /** Which of them are reviewed all the same. */
  holds: HoldPolicy;
}

export const goesToGateway = (amount: Minor, { acceptance }: PayoutPolicy): boolean =>
  acceptance?.pay !== undefined && amount <= acceptance.maxAmount;

/** Creates the payout: `pending`, or `processing` if a gateway is called after the commit. */
export async function createPayout(
  transaction: Transaction<TransitionRepositories>,
  claim: PayoutClaim,
  policy: PayoutPolicy,
  { id: ownId, ...context }: ChangeContext & { id?: number },
): Promise<NamedPayout> {
  const to = policy.acceptance?.pay && goesToGateway(claim.amount, policy) ? 'processing' : 'pending';
  const transition = findTransition(null, to, 'request');
  if (!transition) throw new Error(`The contract does not let a payout begin as ${to}.`);
  const beginning: Omit<Payout, 'id'> = { ...buildRequest(claim, policy, context), status: to, ...paymentDate(transition, context) };
  const id = await transaction.payouts.insert({ ...beginning, ...(ownId !== undefined && { id: ownId }) });
  if (id === null) throw new ApiError('svc_api_in_progress');
  const { coupon, payee } = claim;
  const payout = { ...beginning, id, couponCode: coupon.code, displayName: payee.displayName, email: payee.email };
  await recordTransition(transaction, payout, transition, context);
  return payout;
}

function buildRequest(
  { coupon, userId, amount, details, invoiceId }: PayoutClaim,
  { labels }: PayoutPolicy,
  { now, program }: ChangeContext,
): Omit<NewPayout, 'status' | 'paidAt' | 'paidDay'> {
  return {
    userId,
    couponId: coupon.id,
    amount,
    ...methodOf(details, labels),
    transactionId: '',
    invoiceId,
    requestedAt: now,
    day: dayOf(now, program.zone),
  };
}
