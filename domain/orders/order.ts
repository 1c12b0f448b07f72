import type { Minor } from '../money.ts';

export const orderStatuses = ['pending', 'processing', 'on-hold', 'completed', 'failed', 'cancelled', 'refunded'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export type CommissionStatus = 'pending' | 'granted' | 'reversed';
export type CreditedVia = 'coupon' | 'referral_link' | 'lifetime';

/** Rates are fixed when the order is first recorded, so that a later change of the store's rates does not rewrite history. */
export interface Rates {
  /** Whole thousandths of a percent: 12.5 % is 12500. */
  percentThousandths: number;
  fixedPerOrder: Minor;
  fixedPerProduct: Minor;
}

/** A referred order, as it is kept. Nothing in it is about the customer. */
export interface Order {
  /** The store's own number. */
  orderId: number;
  /** The coupon that is credited. */
  couponId: number;
  /** The coupon that the store named, which a link may have outranked. Null when it named none. */
  usedCouponId: number | null;
  /** The day of the store's calendar on which it was placed: what lists and figures go by. */
  day: string;
  placedAt: number;
  status: OrderStatus;
  /** Goods before discount, without tax and shipping. */
  total: Minor;
  discount: Minor;
  shipping: Minor;
  tax: Minor;
  quantity: number;
  /** Of the goods, net of discount. */
  refunded: Minor;
  rates: Rates;
  commission: Minor;
  commissionStatus: CommissionStatus;
  grantedAt: number | null;
  /** When the clearing days are over. */
  dueAt: number;
  creditedVia: CreditedVia;
  campaign: string | null;
  visitorHash: string | null;
}

/** What a multi-level parent got of an order's commission. Who gets it, and at which rate, is fixed when the commission is first granted. */
export interface Share {
  orderId: number;
  /** 1 for the direct parent. */
  tier: number;
  couponId: number;
  userId: number;
  /** Whole thousandths of a percent of the commission. */
  rateThousandths: number;
  amount: Minor;
}
