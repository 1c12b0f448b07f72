import type { IncomingClick } from '../../domain/clicks/incoming.ts';
import type { CouponStatus } from '../../domain/coupons/coupon.ts';
import type { IncomingOrder } from '../../domain/order-recording/incoming.ts';
import type { MethodType } from '../../domain/payout-details/payout-details.ts';
import type { DiscountType } from '../../domain/program.ts';
import type { SiteName } from './names.ts';

export interface PlannedCoupon {
  code: string;
  status: CouponStatus;
  /** In percent; null for the store's. */
  percent: number | null;
  discountType: DiscountType;
  /** Percent, or cents. */
  discount: number;
}

export interface PlannedAffiliate extends SiteName {
  /** The day of the year; negative for affiliates who joined before it. */
  joined: number;
  /** By an application; else the store created the affiliate. */
  applied: boolean;
  /** The index of the multi-level parent. */
  parent: number | null;
  coupons: PlannedCoupon[];
  /** Relative sales. */
  weight: number;
  promote: string;
  groups: string[];
  payout: { method: string; methodType: MethodType; details: Record<string, string> } | null;
  /** By default `hello@` its site. */
  email?: string;
  referrer?: string;
  customFields?: Record<string, unknown>;
  /** Of the user and the first coupon; by default the next ones. */
  ids?: { user: number; coupon: number };
}

/** What the shop reports at the end of a day: clicks, new orders and changes of earlier ones. Coupon ids are indexes. */
export interface DayReport {
  clicks: IncomingClick[];
  orders: IncomingOrder[];
}
