import type { Minor } from './money.ts';

/** The rules of the store's affiliate program, as its settings stand. Percentages are whole thousandths of a percent. */
export interface Program {
  zone: string;
  currency: string;
  shopUrl: string;
  storeName: string;
  /** The public address of this service, without a slash at the end. Empty: unknown. */
  serviceUrl: string;
  /** The store's own rates, for coupons that have none. */
  rates: Rates;
  clearingDays: number;
  attribution: { windowDays: number; lifetime: boolean };
  /** Of payments of a subscription after the first. Null: the percentage of the coupon. 0: no limit. */
  recurring: { percentThousandths: number | null; maxPayments: number; maxMonths: number };
  /** What each tier above gets of a commission. Empty where the add-on is not active. */
  multiLevelThousandths: readonly number[];
  /** What is compared when an order is recorded. Null while the add-on is inactive. */
  risk: { marksSelfReferrals: boolean; highCommissionPercent: number | null } | null;
  /** What an accepted application gets. */
  couponTemplate: CouponTemplate;
}

/** What a referred order earns. */
export interface Rates {
  /** Whole thousandths of a percent: 12.5 % is 12500. */
  percentThousandths: number;
  fixedPerOrder: Minor;
  fixedPerProduct: Minor;
}

export interface CouponTemplate {
  percentThousandths: number | null;
  discountType: DiscountType;
  /** Thousandths of a percent for the type percent, minor units for the fixed ones. */
  discountAmount: Minor;
}

export type DiscountType = 'percent' | 'fixed_cart' | 'fixed_product';
