import { dayOf } from '../dates.ts';
import { ApiError } from '../errors.ts';
import type { Minor } from '../money.ts';
import type { Surroundings } from '../orders/surroundings.ts';
import type { MethodType } from '../payout-details/payout-details.ts';
import type { Transaction } from '../ports.ts';
import type { Claim } from './eligibility.ts';
import type { Pay } from './gateway.ts';
import type { NamedPayout, NewPayout } from './payout.ts';
import type { PayoutRules } from './rules.ts';
import { stepBetween } from './steps.ts';
import { follow, paidOn } from './take-step.ts';

/** What the store says about payouts, and what becomes of those that are requested. */
export interface PayoutPolicy {
  rules: PayoutRules;
  labels: Record<MethodType, string>;
  /** Where requests go up to an amount without anybody looking. Null where somebody looks at each. */
  acceptance: { maxAmount: Minor; gateway: string; pay: Pay | undefined } | null;
}

/** Whether the payout goes to a gateway as soon as it is committed. */
const isAccepted = (amount: Minor, { acceptance }: PayoutPolicy): boolean =>
  acceptance?.pay !== undefined && amount <= acceptance.maxAmount;

/** The claim becomes a payout: `pending`, or `processing` where a gateway is to be called after the commit. */
export async function createPayout(
  transaction: Transaction,
  claim: Claim,
  policy: PayoutPolicy,
  surroundings: Surroundings,
): Promise<NamedPayout> {
  const to = isAccepted(claim.amount, policy) ? 'processing' : 'pending';
  const step = stepBetween(null, to, 'request');
  if (!step) throw new Error(`The contract does not let a payout begin as ${to}.`);
  const beginning: NewPayout = { ...requested(claim, policy, surroundings), status: to, ...paidOn(step, surroundings) };
  const id = await transaction.payouts.insert(beginning);
  if (id === null) throw new ApiError('svc_api_in_progress');
  const payee = await transaction.users.byId(claim.userId);
  const payout = { ...beginning, id, couponCode: claim.coupon.code, displayName: payee?.displayName ?? '' };
  await follow(transaction, payout, step, surroundings);
  return payout;
}

function requested(
  { coupon, userId, amount, details }: Claim,
  { labels }: PayoutPolicy,
  { now, program }: Surroundings,
): Omit<NewPayout, 'status' | 'paidAt' | 'paidDay'> {
  return {
    userId,
    couponId: coupon.id,
    amount,
    method: details ? labels[details.methodType] : '',
    methodType: details?.methodType ?? '',
    hasDetails: details !== null && details.encryptedDetails !== null,
    transactionId: '',
    invoiceId: 0,
    requestedAt: now,
    day: dayOf(now, program.zone),
  };
}
