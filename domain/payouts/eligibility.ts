import type { Coupon } from '../coupons/coupon.ts';
import { ApiError } from '../errors.ts';
import type { Minor } from '../money.ts';
import type { PayoutDetails } from '../payout-details/payout-details.ts';
import type { Stores } from '../ports.ts';
import { type Caller, callerIsAdmin } from '../users/caller.ts';
import type { NamedPayout } from './payout.ts';
import { listObstacles, type PayoutRules } from './rules.ts';

/** The amount is not part of it: a request is for the whole unpaid balance. */
export interface PayoutRequest {
  caller: Caller;
  couponId: number;
}

/** A payout that may be created. */
export interface PayoutClaim {
  coupon: Coupon;
  /** The affiliate of the coupon. */
  userId: number;
  amount: Minor;
  details: PayoutDetails | null;
}

export type ExistingPayout = { kind: 'existing'; payout: NamedPayout };
export type RefusedRequest = { kind: 'refused'; error: ApiError };
type RequestState = ExistingPayout | RefusedRequest | { kind: 'requestable'; claim: PayoutClaim };

export const refuseRequest = (error: ApiError): RefusedRequest => ({ kind: 'refused', error });

/** Decision 7: the checks in their order. @throws ApiError for a coupon that is not the caller's. */
export async function checkRequest(stores: Stores, { caller, couponId }: PayoutRequest, rules: PayoutRules): Promise<RequestState> {
  // The upline may read a coupon, but not request its payout.
  const coupon = await stores.coupons.visibleTo(caller, couponId);
  if (!coupon) throw new ApiError('svc_api_not_found');
  const open = await stores.payouts.openOf(couponId);
  if (open) return existingFor(caller, open);
  const { userId } = coupon;
  const details = userId === null ? null : await stores.payoutDetails.ofUser(userId);
  const amount = coupon.balances.unpaid;
  const [obstacle] = listObstacles({ rules, byAdmin: callerIsAdmin(caller), userId, unpaid: amount, details });
  if (obstacle !== undefined || userId === null) return refuseRequest(new ApiError(obstacle ?? 'svc_api_no_affiliate'));
  return { kind: 'requestable', claim: { coupon, userId, amount, details } };
}

/** An open request of a former owner is not shown to the new owner. */
const existingFor = (caller: Caller, open: NamedPayout): ExistingPayout | RefusedRequest =>
  callerIsAdmin(caller) || open.userId === caller.user.id
    ? { kind: 'existing', payout: open }
    : refuseRequest(new ApiError('svc_api_conflict', { message: 'Another request of this coupon is open.' }));
