import type { Coupon } from '../coupons/coupon.ts';
import { ApiError } from '../errors.ts';
import type { Minor } from '../money.ts';
import { type MethodType, methodOf, type PayoutDetails } from '../payout-details/payout-details.ts';
import type { Caller, User } from '../users/user.ts';
import { checkRequest, type PayoutClaim, type PayoutRequest, type RefusedRequest, refuseRequest } from './eligibility.ts';
import type { NamedPayout } from './payout.ts';
import type { PayableFilter } from './repository.ts';
import { type PayoutRequestContext, requestPayout } from './request.ts';

/** Coupons that one run lists. */
const maxListed = 500;

/** Gateways are slow: after this time a run begins no further request. */
export const maxRunMilliseconds = 20_000;

export interface RunRequest {
  caller: Caller;
  filter: PayableFilter;
  /** Decides and writes nothing. */
  isPreview: boolean;
}

export interface RunOutcome {
  coupon: Coupon;
  owner: User | null;
  method: string;
  methodType: MethodType | '';
  amount: Minor;
  kind: 'requested' | 'existing' | 'refused';
  /** Null where it was refused, and for a request of a preview. */
  payoutId: number | null;
  /** What the affiliate owes over all coupons. */
  debt: Minor;
  /** The coupon's last payout if its payment failed. */
  failedPayoutId: number | null;
  /** Null unless it was refused. */
  error: ApiError | null;
}

export interface PayoutRun {
  /** By the id of the coupon. */
  outcomes: RunOutcome[];
  /** Coupons with something to pay that come after those. */
  remaining: number;
}

/** Requests a payout of each coupon with something to pay, as `requestPayout` does it, one after the other. */
export async function runPayouts({ caller, filter, isPreview }: RunRequest, context: PayoutRequestContext): Promise<PayoutRun> {
  const { storage, clock, policy } = context;
  const { items, total, owners, details, doubts } = await storage.read(async (db) => {
    const found = await db.payouts.payable(filter, maxListed);
    const userIds = [...new Set(found.items.flatMap(({ userId }) => userId ?? []))];
    return {
      ...found,
      owners: await db.users.byIds(userIds),
      details: await db.payoutDetails.ofUsers(userIds),
      doubts: await db.payouts.doubtsAbout(found.items.map(({ id }) => id)),
    };
  });
  const byId = new Map(owners.map((owner) => [owner.id, owner]));
  const detailsOf = new Map(details.map((own) => [own.userId, own]));
  const doubtsOf = new Map(doubts.map((doubt) => [doubt.couponId, doubt]));
  const disabledIds = new Set(doubts.flatMap(({ disabledPayeeId }) => disabledPayeeId ?? []));
  const filtered = { ...context, review: reviewFiltered(filter, disabledIds, context.review) };
  const decide = isPreview ? previewPayout : request;
  const end = clock.now() + maxRunMilliseconds;
  const outcomes: RunOutcome[] = [];
  for (const coupon of items) {
    if (outcomes.length > 0 && clock.now() >= end) break;
    const owner = coupon.userId === null ? null : (byId.get(coupon.userId) ?? null);
    const { method, methodType } = methodOf(detailsOf.get(coupon.userId ?? 0) ?? null, policy.labels);
    const decision = await decide({ caller, couponId: coupon.id }, filtered).catch(toRefusal);
    const { unpaidOfPayee = 0, failedPayoutId = null } = doubtsOf.get(coupon.id) ?? {};
    const debt = Math.max(0, -unpaidOfPayee);
    outcomes.push({ coupon, owner, method, methodType, debt, failedPayoutId, ...describe(decision, coupon) });
  }
  return { outcomes, remaining: total - outcomes.length };
}

type Decision =
  | { kind: 'requested'; payout: NamedPayout | null; amount: Minor }
  | { kind: 'existing'; payout: NamedPayout }
  | RefusedRequest;

async function request(one: PayoutRequest, context: PayoutRequestContext): Promise<Decision> {
  const outcome = await requestPayout(one, context);
  return outcome.kind === 'created' ? { kind: 'requested', payout: outcome.payout, amount: outcome.payout.amount } : outcome;
}

async function previewPayout(one: PayoutRequest, { storage, policy, review }: PayoutRequestContext): Promise<Decision> {
  const state = await storage.query((db) => checkRequest(db, one, policy.rules));
  if (state.kind !== 'requestable') return state;
  const refusal = (await review?.(state.claim)) ?? null;
  return refusal ?? { kind: 'requested', payout: null, amount: state.claim.amount };
}

/** A database that is out of reach ends the run: what was requested before stays, and the next run finds it. */
function toRefusal(error: unknown): RefusedRequest {
  if (error instanceof ApiError && error.status < 500) return refuseRequest(error);
  throw error;
}

function describe(decision: Decision, { balances }: Coupon): Pick<RunOutcome, 'kind' | 'amount' | 'payoutId' | 'error'> {
  if (decision.kind === 'refused') return { kind: 'refused', amount: balances.unpaid, payoutId: null, error: decision.error };
  if (decision.kind === 'existing') return { kind: 'existing', amount: decision.payout.amount, payoutId: decision.payout.id, error: null };
  return { kind: 'requested', amount: decision.amount, payoutId: decision.payout?.id ?? null, error: null };
}

/** The balance or the method may have changed since the coupons were listed. The review is repeated for what is requested in the end. */
function reviewFiltered(
  { minAmount, methodType }: PayableFilter,
  disabledIds: ReadonlySet<number>,
  review: PayoutRequestContext['review'],
): PayoutRequestContext['review'] {
  if (minAmount === null && methodType === null && disabledIds.size === 0) return review;
  const fits = ({ amount, details }: PayoutClaim): boolean =>
    amount >= (minAmount ?? 0) && (methodType === null || isOf(methodType, details));
  return async (claim) => {
    if (disabledIds.has(claim.userId)) return refuseRequest(new ApiError('svc_api_conflict', { message: disabledMessage }));
    return fits(claim) ? ((await review?.(claim)) ?? null) : refuseRequest(new ApiError('svc_api_conflict'));
  };
}

const disabledMessage = 'The affiliate is disabled: a run requests no payout. Enable the account, or request the payout by itself.';

const isOf = (methodType: MethodType, details: PayoutDetails | null): boolean => details?.methodType === methodType;
