import type { Order, Share } from './order.ts';

/** Of a visitor whom a coupon has brought for good. */
export interface LifetimeLink {
  visitorHash: string;
  couponId: number;
  createdAt: number;
}

/** Orders as they come in, many at once. */
export interface OrderStore {
  byIds(orderIds: readonly number[]): Promise<Order[]>;
  /** New ones are added. Of known ones everything is written but what is fixed at the first recording: coupon, rates and attribution. */
  save(orders: readonly Order[]): Promise<void>;
  anyDue(now: number): Promise<boolean>;
  /**
   * Grants what has become due, at most so many, the longest overdue first, and gives them as they are now. Nobody else gets the same
   * ones; while another process is at it, there are none.
   */
  claimDue(now: number, limit: number): Promise<Order[]>;
  sharesOf(orderIds: readonly number[]): Promise<Share[]>;
  saveShares(shares: readonly Share[]): Promise<void>;
  lifetimeLinksOf(visitorHashes: readonly string[]): Promise<LifetimeLink[]>;
  /** A visitor who has a link keeps it. */
  addLifetimeLinks(links: readonly LifetimeLink[]): Promise<void>;
}
