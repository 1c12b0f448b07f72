import type { CouponTerms } from '../coupons/terms.ts';
import type { User } from '../users/user.ts';

/** A coupon and its affiliate. */
export interface Party {
  couponId: number;
  code: string;
  user: Pick<User, 'id' | 'displayName'> | null;
}

export interface CouponLabel {
  /** Null where the caller may not know whose it is. */
  party: Party | null;
  /** For sentences: the code. */
  text: string;
}

export const hiddenLabel: CouponLabel = { party: null, text: 'another coupon' };

export const labelOfCoupon = ({ id, code }: Pick<CouponTerms, 'id' | 'code'>, user: Party['user']): CouponLabel => ({
  party: { couponId: id, code, user },
  text: code,
});
