import type { Caller } from '../caller.ts';
import type { Page, Paged } from '../page.ts';
import type { Coupon, CouponStatus, CouponWithTerms, NewCoupon } from './coupon.ts';

export interface CouponFilter {
  status: CouponStatus;
  userId?: number;
  /** Looked for in the code, ignoring case. */
  search?: string;
}

export interface CouponOrder {
  by: 'id' | 'code' | 'unpaid_commission' | 'date_created';
  direction: 'asc' | 'desc';
}

export interface CouponStore {
  /** Every coupon assigned to the user, newest first. */
  ofUser(userId: number): Promise<Coupon[]>;
  /** The same for several users at once. */
  ofUsers(userIds: readonly number[]): Promise<Coupon[]>;
  /**
   * For admins, the owner and, where that level exists here, everybody above the owner. Null for everybody else, as when there is no
   * such coupon, found out by the same query.
   */
  visibleTo(caller: Caller, id: number, levels?: { upline: boolean }): Promise<CouponWithTerms | null>;
  /** Coupons that are assigned to somebody. */
  page(filter: CouponFilter, order: CouponOrder, page: Page): Promise<Paged<Coupon>>;
  /** Whether another published coupon has the same code, ignoring case. */
  codeIsShared(coupon: Coupon): Promise<boolean>;
  insert(coupon: NewCoupon): Promise<number>;
  /** Whether any balance of any coupon is not zero: the store's currency is fixed from then on. */
  anyMoney(): Promise<boolean>;
}
