import type { Order } from './order.ts';

/** Credits the payments of a subscription, or of a customer, to the coupon that the first one or its checkout was credited to. */
export interface CreditLink extends Pick<Order, 'couponId' | 'usedCouponId' | 'creditedVia' | 'campaign' | 'visitorHash'> {
  /** As `subscriptionLink` and `customerLink` write it. */
  link: string;
  /** The click that the first payment converts. */
  clickId: number | null;
  /** When the checkout was complete, or the first order placed, also one that failed. */
  linkedAt: number;
  /** When the first credited payment was placed. Null before it. */
  firstPaidAt: number | null;
  /** The number of credited payments, in order of arrival. */
  payments: number;
}

export const subscriptionLink = (subscription: string): string => `subscription:${subscription}`;
export const customerLink = (customerHash: string): string => `customer:${customerHash}`;

export type LimitKind = 'payments' | 'months';

/** Which payment of its subscription an order is, and the settings that applied when it was recorded. */
export interface SubscriptionPayment {
  orderId: number;
  subscription: string;
  /** 1 for the first credited payment. */
  number: number;
  /** The percentage of renewals. Null: that of the coupon. */
  percentThousandths: number | null;
  /** 0: no limit. */
  maxPayments: number;
  /** 0: no limit. */
  maxMonths: number;
  /** The limit that it is beyond, so that it earns nothing. */
  exceeded: LimitKind | null;
}

export interface CreditLinkRepository {
  byLinks(links: readonly string[]): Promise<CreditLink[]>;
  /** When the first known payment of each subscription was placed, credited or not. */
  subscriptionStarts(subscriptions: readonly string[]): Promise<Map<string, number>>;
  /** Inserts or replaces. */
  save(links: readonly CreditLink[]): Promise<void>;
  addPayments(payments: readonly SubscriptionPayment[]): Promise<void>;
  removePayment(orderId: number): Promise<void>;
  paymentsOf(orderIds: readonly number[]): Promise<SubscriptionPayment[]>;
}
