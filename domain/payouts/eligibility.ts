import { type Caller, callerIsAdmin } from '../caller.ts';
import type { Coupon } from '../coupons/coupon.ts';
import { ApiError } from '../errors.ts';
import type { Minor } from '../money.ts';
import type { PayoutDetails } from '../payout-details/payout-details.ts';
import type { Stores } from '../ports.ts';
import type { NamedPayout } from './payout.ts';
import { type PayoutRules, payoutObstacles } from './rules.ts';

/** What is asked for. The amount is not: it is all that is unpaid. */
export interface Asked {
  caller: Caller;
  couponId: number;
}

/** A payout that nothing stands against. */
export interface Claim {
  coupon: Coupon;
  /** The affiliate of the coupon. */
  userId: number;
  amount: Minor;
  details: PayoutDetails | null;
}

export type Existing = { kind: 'existing'; payout: NamedPayout };
export type Refused = { kind: 'refused'; error: ApiError };
type Standing = Existing | Refused | { kind: 'requestable'; claim: Claim };

export const refused = (error: ApiError): Refused => ({ kind: 'refused', error });

/** Decision 7: how things stand for a request, looked at in this order. @throws ApiError for a coupon that is not the caller's. */
export async function standingOf(stores: Stores, { caller, couponId }: Asked, rules: PayoutRules): Promise<Standing> {
  // Those above the owner may read a coupon, and yet not request its payout.
  const coupon = await stores.coupons.visibleTo(caller, couponId);
  if (!coupon) throw new ApiError('svc_api_not_found');
  const open = await stores.payouts.openOf(couponId);
  if (open) return answeredTo(caller, open);
  const { userId } = coupon;
  const details = userId === null ? null : await stores.payoutDetails.ofUser(userId);
  const amount = coupon.balances.unpaid;
  const [obstacle] = payoutObstacles({ rules, byAdmin: callerIsAdmin(caller), userId, unpaid: amount, details });
  if (obstacle !== undefined || userId === null) return refused(new ApiError(obstacle ?? 'svc_api_no_affiliate'));
  return { kind: 'requestable', claim: { coupon, userId, amount, details } };
}

/** A coupon may have changed hands since: the request of whoever had it before is none of the new owner's business. */
const answeredTo = (caller: Caller, open: NamedPayout): Existing | Refused =>
  callerIsAdmin(caller) || open.userId === caller.user.id
    ? { kind: 'existing', payout: open }
    : refused(new ApiError('svc_api_conflict', { message: 'Another request of this coupon is open.' }));
