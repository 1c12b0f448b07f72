import type { Snapshot } from '../figures/figures.ts';
import type { Minor } from '../money.ts';
import type { PayoutDetails } from '../payout-details/payout-details.ts';
import type { DiscountType } from '../program.ts';
import type { User } from '../users/user.ts';

export interface Balances {
  unpaid: Minor;
  pendingOrder: Minor;
  pendingPayout: Minor;
  paid: Minor;
}

export const noBalances: Balances = { unpaid: 0, pendingOrder: 0, pendingPayout: 0, paid: 0 };

/** What balances consist of, since the beginning. */
export interface BalanceSources {
  /** Commission of orders that count as sales. */
  referred: Minor;
  /** Shares of the commission of recruits. */
  multiLevel: Minor;
  /** Commission of orders that are not paid yet and therefore do not count as sales. */
  awaitingPayment: Minor;
  /** The balance of the store's account for changes of orders that were recorded before their coupon changed hands. */
  handedOver: Minor;
  /** Bonuses and corrections. */
  adjusted: Minor;
  /** What was booked to the store when the affiliate was erased; below zero. */
  forfeited: Minor;
}

/** Of all coupons of a user together. */
export interface AffiliateBalances {
  ofCoupons: Balances;
  /** What the user was paid, also by coupons that are another's now. */
  paid: Minor;
  /** Null unless they are asked for. */
  sources: BalanceSources | null;
}

export type CouponStatus = 'publish' | 'draft' | 'private';

export interface Coupon {
  id: number;
  code: string;
  /** Null without an affiliate. */
  userId: number | null;
  status: CouponStatus;
  createdAt: number;
  balances: Balances;
}

/** What a coupon earns its affiliate, and what it gives the customer. */
export interface Terms {
  /** Its own rates. Null: the store's apply. */
  percentThousandths: number | null;
  fixedPerOrder: Minor | null;
  fixedPerProduct: Minor | null;
  discountType: DiscountType;
  /** Thousandths of a percent for the type percent, minor units for the fixed ones. */
  discountAmount: number;
}

/** The store's rates, and no discount. */
export const plainTerms: Terms = {
  percentThousandths: null,
  fixedPerOrder: null,
  fixedPerProduct: null,
  discountType: 'percent',
  discountAmount: 0,
};

export interface CouponWithTerms extends Coupon {
  terms: Terms;
}

export interface CouponTotals {
  coupon: CouponWithTerms;
  snapshot: Snapshot;
  /** Whether another published coupon has the same code, ignoring case. */
  codeIsShared: boolean;
}

export interface CouponDetails {
  coupon: CouponWithTerms;
  /** The affiliate. */
  user: User | null;
  snapshot: Snapshot;
  /** The affiliate's payout details. */
  details: PayoutDetails | null;
  /** Null unless they are asked for. */
  sources: BalanceSources | null;
  /** An invoice of the affiliate waits for the next payout of the coupon. */
  hasInvoice: boolean;
  /** Whether another published coupon has the same code, ignoring case. */
  codeIsShared: boolean;
}
