import { ApiError } from '../errors.ts';
import type { ChangeContext } from '../orders/order-change.ts';
import { listHolds } from '../risk/holds.ts';
import type { Transaction } from '../unit-of-work.ts';
import { callerIsAdmin } from '../users/user.ts';
import { createPayout, goesToGateway, type PayoutPolicy } from './create.ts';
import {
  checkRequest,
  type ExistingPayout,
  type PayoutClaim,
  type PayoutRequest,
  type RefusedRequest,
  refuseRequest,
} from './eligibility.ts';
import { type CreatedPayout, type GatewayContext, type PayoutRequestRepositories, payThroughGateway } from './gateway-payment.ts';

/** A payout was created or found. */
export type PayoutOutcome = CreatedPayout | ExistingPayout;
export type RequestOutcome = PayoutOutcome | RefusedRequest;

export interface PayoutRequestContext extends Omit<GatewayContext, 'saveOutcome'> {
  policy: PayoutPolicy;
  locks: Locks;
  /** The site's review, which runs outside of any transaction. Null without one. */
  review: ((claim: PayoutClaim) => Promise<RefusedRequest | null>) | null;
  /** Whether this is what the caller has confirmed. Null where nothing was confirmed before. */
  isConfirmed: ((claim: PayoutClaim) => boolean) | null;
  /** Runs in the transaction that decides, and in the one that records a gateway's result. Null without an idempotency key. */
  saveOutcome:
    | ((transaction: Transaction<PayoutRequestRepositories>, outcome: PayoutOutcome, stage: 'decided' | 'settled') => Promise<void>)
    | null;
}

/**
 * Requests the whole unpaid balance of a coupon. Checks without a lock first, because most repeated requests are answered by that; then
 * decides in one transaction, which checks again.
 */
export async function requestPayout(request: PayoutRequest, context: PayoutRequestContext): Promise<RequestOutcome> {
  const { storage, policy, locks, saveOutcome } = context;
  const seen = await storage.query((db) => checkRequest(db, request, policy.rules));
  if (seen.kind === 'refused' || (seen.kind === 'existing' && !saveOutcome)) return seen;
  const { outcome, claim } = await locks.hold(`payout of coupon ${request.couponId}`, async () => {
    const refusal = seen.kind === 'requestable' ? ((await context.review?.(seen.claim)) ?? null) : null;
    return decideInTransaction(request, { refusal, claim: seen.kind === 'requestable' ? seen.claim : null }, context);
  });
  if (outcome.kind !== 'created' || !claim) return outcome;
  if (outcome.payout.status !== 'processing') return outcome;
  return payAccepted(outcome, claim, context);
}

interface ReviewResult {
  refusal: RefusedRequest | null;
  /** The claim that the site reviewed. */
  claim: PayoutClaim | null;
}

interface RequestDecision {
  outcome: RequestOutcome;
  claim: PayoutClaim | null;
}

async function decideInTransaction(
  request: PayoutRequest,
  reviewed: ReviewResult,
  context: PayoutRequestContext,
): Promise<RequestDecision> {
  try {
    return await context.storage.write((transaction) => decideRequest(transaction, request, reviewed, context), 'read-committed');
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('svc_api_not_created', {
      message: 'The payout could not be saved. Ask again: a request is never made twice.',
      log: String(error),
    });
  }
}

async function decideRequest(
  transaction: Transaction<PayoutRequestRepositories>,
  request: PayoutRequest,
  reviewed: ReviewResult,
  context: PayoutRequestContext,
): Promise<RequestDecision> {
  const { policy, change, review, saveOutcome } = context;
  const [isFree, state] = await Promise.all([
    transaction.payouts.claim(request.couponId),
    checkRequest(transaction, request, policy.rules),
  ]);
  if (!isFree) throw new ApiError('svc_api_in_progress');
  if (state.kind !== 'requestable') {
    if (state.kind === 'existing') await saveOutcome?.(transaction, state, 'decided');
    return { outcome: state, claim: null };
  }
  const { claim } = state;
  if (reviewed.refusal) return { outcome: reviewed.refusal, claim: null };
  // An order or a new owner came between the site's approval and this transaction: the site must review the current claim.
  if (review && !isSameClaim(reviewed.claim, claim)) throw new ApiError('svc_api_conflict');
  if (context.isConfirmed?.(claim) === false) throw new ApiError('svc_api_conflict');
  const hold = await findHold(transaction, claim, policy, change);
  const applied = hold === null ? policy : { ...policy, acceptance: null };
  const payout = await createPayout(transaction, claim, applied, change);
  // Affiliates see nothing of signals.
  const notice = hold !== null && callerIsAdmin(request.caller) ? `The payout stays pending: ${hold}.` : null;
  // Repeated requests get this outcome while the gateway runs, and for good if it never answers.
  const outcome = withNotice({ kind: 'created', payout, gatewayTriggered: payout.status === 'processing', notice }, applied);
  await saveOutcome?.(transaction, outcome, 'decided');
  return { outcome, claim };
}

/** Asked only where the payout would be paid without review. */
async function findHold(
  transaction: Transaction<PayoutRequestRepositories>,
  { coupon, userId, amount, details }: PayoutClaim,
  policy: PayoutPolicy,
  change: ChangeContext,
): Promise<string | null> {
  if (!goesToGateway(amount, policy)) return null;
  if (await transaction.users.isDisabled(userId)) return 'the affiliate is disabled';
  const [doubts] = policy.holds.holdsDebts ? await transaction.payouts.doubtsAbout([coupon.id]) : [];
  // The request takes the amount from what is unpaid.
  const unpaid = (doubts?.unpaidOfPayee ?? amount) - amount;
  const replacedAt = details !== null && details.updatedAt > details.firstSavedAt ? details.updatedAt : null;
  const emailChangedAt = await transaction.users.emailChangedAt(userId);
  const doubtful = { userId, requestedAt: change.now, replacedAt, emailChangedAt, unpaid };
  const [hold] = await listHolds(transaction, [doubtful], policy.holds, change);
  return hold ?? null;
}

/** Compares what a site reviews: amount, payee and method. */
const isSameClaim = (seen: PayoutClaim | null, now: PayoutClaim): boolean =>
  seen?.amount === now.amount && seen.userId === now.userId && seen.details?.methodType === now.details?.methodType;

/** A configured gateway that is not called, because it does not exist or in a dry run, leaves the payout pending, with a notice. */
function withNotice(created: CreatedPayout, { acceptance }: PayoutPolicy): CreatedPayout {
  if (!acceptance || acceptance.pay || created.notice !== null || created.payout.amount > acceptance.maxAmount) return created;
  const { gateway, pay } = acceptance;
  const notice =
    pay === null
      ? `The payment gateway ${gateway} decides about the payout at once. A dry run does not call it.`
      : `There is no payment gateway named ${gateway} here. The payout stays pending.`;
  return { ...created, notice };
}

async function payAccepted({ payout }: CreatedPayout, { details }: PayoutClaim, context: PayoutRequestContext): Promise<CreatedPayout> {
  const { policy, saveOutcome, ...rest } = context;
  if (!policy.acceptance?.pay) throw new Error('A payout was begun as processing without a gateway to process it.');
  return payThroughGateway(payout, details, policy.acceptance.pay, {
    ...rest,
    saveOutcome: async (transaction, created) => saveOutcome?.(transaction, created, 'settled'),
  });
}

export const refusedBySite = (reason: string | null): RefusedRequest =>
  refuseRequest(new ApiError('svc_api_not_created', reason === null ? {} : { message: reason }));

/** Named locks within this process. A second caller is refused with svc_api_in_progress instead of waiting. */
export class Locks {
  readonly #held = new Set<string>();

  async hold<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#held.has(name)) throw new ApiError('svc_api_in_progress');
    this.#held.add(name);
    try {
      return await work();
    } finally {
      this.#held.delete(name);
    }
  }
}
