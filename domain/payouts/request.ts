import { ApiError } from '../errors.ts';
import type { Locks } from '../locks.ts';
import type { Transaction } from '../ports.ts';
import { type Accepting, acceptPayout, type Created } from './accept.ts';
import { createPayout, type PayoutPolicy } from './create.ts';
import { type Asked, type Claim, type Existing, type Refused, refused, standingOf } from './eligibility.ts';

export type RequestOutcome = Created | Existing | Refused;

export interface Requesting extends Omit<Accepting, 'remember'> {
  policy: PayoutPolicy;
  locks: Locks;
  /** The site's say, outside of any transaction. Null where the site has none. */
  review: ((claim: Claim) => Promise<Refused | null>) | null;
  /** Joins the transaction that decides, and the one that settles what a gateway has had. Null where nobody wants the outcome again. */
  remember: ((transaction: Transaction, outcome: RequestOutcome, stage: 'decided' | 'settled') => Promise<void>) | null;
}

/**
 * Requests all that is unpaid of a coupon. Looked at first without a lock, because most who ask again are answered by looking; decided in
 * one transaction, which looks again.
 */
export async function requestPayout(asked: Asked, requesting: Requesting): Promise<RequestOutcome> {
  const { storage, policy, locks, remember } = requesting;
  const seen = await storage.read((stores) => standingOf(stores, asked, policy.rules));
  if (seen.kind !== 'requestable' && !remember) return seen;
  const { outcome, claim } = await locks.hold(`payout of coupon ${asked.couponId}`, async () => {
    const refusal = seen.kind === 'requestable' ? ((await requesting.review?.(seen.claim)) ?? null) : null;
    return decided(asked, { refusal, claim: seen.kind === 'requestable' ? seen.claim : null }, requesting);
  });
  if (outcome.kind !== 'created' || !claim) return outcome;
  if (outcome.payout.status !== 'processing') return withNotice(outcome, policy);
  return accepted(outcome, claim, requesting);
}

interface Reviewed {
  refusal: Refused | null;
  /** What the site was asked about. */
  claim: Claim | null;
}

interface Decision {
  outcome: RequestOutcome;
  claim: Claim | null;
}

async function decided(asked: Asked, reviewed: Reviewed, requesting: Requesting): Promise<Decision> {
  try {
    return await requesting.storage.write((transaction) => decide(transaction, asked, reviewed, requesting));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('svc_api_not_created', {
      message: 'The payout could not be saved. Ask again: a request is never made twice.',
      log: String(error),
    });
  }
}

async function decide(transaction: Transaction, asked: Asked, reviewed: Reviewed, requesting: Requesting): Promise<Decision> {
  const { policy, surroundings, review, remember } = requesting;
  if (!(await transaction.payouts.claim(asked.couponId))) throw new ApiError('svc_api_in_progress');
  const standing = await standingOf(transaction, asked, policy.rules);
  if (standing.kind !== 'requestable') {
    // The request of somebody else stands in the way for now; that is no answer to keep.
    if (standing.kind === 'refused' && standing.error.code === 'svc_api_conflict') throw standing.error;
    await remember?.(transaction, standing, 'decided');
    return { outcome: standing, claim: null };
  }
  const { claim } = standing;
  if (reviewed.refusal) {
    await remember?.(transaction, reviewed.refusal, 'decided');
    return { outcome: reviewed.refusal, claim: null };
  }
  // The site approved, and an order or a new owner came in between: it has to be asked about what is there now.
  if (review && !isSame(reviewed.claim, claim)) throw new ApiError('svc_api_conflict');
  const payout = await createPayout(transaction, claim, policy, surroundings);
  // While a gateway is being asked, and for good where the answer never comes, this is what whoever asks again is told.
  const outcome: Created = { kind: 'created', payout, gatewayTriggered: payout.status === 'processing', notice: null };
  await remember?.(transaction, withNotice(outcome, policy), 'decided');
  return { outcome, claim };
}

/** In all that a site is told of a claim and that can change: how much goes to whom, and in which way. */
const isSame = (seen: Claim | null, now: Claim): boolean =>
  seen?.amount === now.amount && seen.userId === now.userId && seen.details?.methodType === now.details?.methodType;

/** A gateway that is chosen and not there is no reason to lose the request, and one to say so. */
const withNotice = (created: Created, { acceptance }: PayoutPolicy): Created =>
  acceptance && !acceptance.pay && created.payout.amount <= acceptance.maxAmount
    ? { ...created, notice: `There is no payment gateway named ${acceptance.gateway} here. The payout stays pending.` }
    : created;

async function accepted({ payout }: Created, { details }: Claim, requesting: Requesting): Promise<Created> {
  const { policy, remember, ...rest } = requesting;
  if (!policy.acceptance?.pay) throw new Error('A payout was begun as processing without a gateway to process it.');
  return acceptPayout(payout, details, policy.acceptance.pay, {
    ...rest,
    remember: async (transaction, created) => remember?.(transaction, created, 'settled'),
  });
}

export const refusedBySite = (reason: string | null): Refused =>
  refused(new ApiError('svc_api_not_created', reason === null ? {} : { message: reason }));
