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
  /** An invoice of the affiliate waits for the next payout of the coupon. */
  hasInvoice: boolean;
  /** Whether another published coupon has the same code, ignoring case. */
  codeIsShared: boolean;
}
