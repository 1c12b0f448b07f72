import type { Order, Share } from './order.ts';

/** Credits all later orders of a visitor to a coupon. */
export interface LifetimeLink {
  visitorHash: string;
  couponId: number;
  createdAt: number;
}

export interface OrderStore {
  byIds(orderIds: readonly number[]): Promise<Order[]>;
  /** Inserts or updates. Coupon, rates and attribution are written at the first recording only. */
  save(orders: readonly Order[]): Promise<void>;
  anyDue(now: number): Promise<boolean>;
  /** Grants at most `limit` due orders, the longest overdue first, and returns them. Returns none while another process does so. */
  claimDue(now: number, limit: number): Promise<Order[]>;
  sharesOf(orderIds: readonly number[]): Promise<Share[]>;
  saveShares(shares: readonly Share[]): Promise<void>;
  lifetimeLinksOf(visitorHashes: readonly string[]): Promise<LifetimeLink[]>;
  /** A visitor who has a link keeps it. */
  addLifetimeLinks(links: readonly LifetimeLink[]): Promise<void>;
}
