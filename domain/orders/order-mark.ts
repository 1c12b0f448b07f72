import type { Minor } from '../money.ts';

/** What is only known when an order is recorded: that the customer is the affiliate, or how much of its price it earned at first. */
export interface OrderMark {
  orderId: number;
  couponId: number;
  kind: 'self_referral' | 'high_commission';
  /** Of the goods, at that time. */
  net: Minor;
  commission: Minor;
}

export interface OrderMarkRepository {
  /** Skips marks that exist. */
  add(marks: readonly OrderMark[]): Promise<void>;
}
