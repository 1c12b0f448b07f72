import type { Minor } from '../money.ts';
import type { OrderMark } from '../orders/order-mark.ts';
import type { MethodType } from '../payout-details/payout-details.ts';

/** A coupon whose affiliate is scanned. */
export interface ScannedCoupon {
  couponId: number;
  userId: number;
  code: string;
  /** Grows with every write to its orders. */
  ordersVersion: number;
  /** Grows with every click and conversion. */
  clicks: number;
  /** The newest day with an order, not after today. Null without orders. */
  lastDay: string | null;
  /** Whether orders or clicks were written since it was scanned. */
  isChanged: boolean;
}

/** Days of a coupon, both included. */
export interface CouponDays {
  couponId: number;
  from: string;
  to: string;
}

/** What orders were worth after discount, and what of it was refunded or cancelled. */
export interface Losses {
  orders: number;
  net: Minor;
  lost: Minor;
}

export interface OrderFact {
  orderId: number;
  couponId: number;
  userId: number;
  placedAt: number;
}

export interface MarkedOrder extends OrderFact, Pick<OrderMark, 'kind' | 'net' | 'commission'> {}

/** An order whose commission was taken back after a payout that it was part of. */
export interface PayoutLoss {
  payoutId: number;
  userId: number;
  couponId: number;
  amount: Minor;
  orderId: number;
  lost: Minor;
  at: number;
}

/** A payout that money may leave by, with what is doubtful about it. */
export interface DoubtfulPayout {
  payoutId: number;
  userId: number;
  couponId: number;
  requestedAt: number;
  isOpen: boolean;
  /** Of the affiliate, over all coupons. */
  unpaid: Minor;
  /** When the details were last replaced. Null when they were not. */
  replacedAt: number | null;
  emailChangedAt: number | null;
}

export interface ClickDay {
  couponId: number;
  userId: number;
  code: string;
  day: string;
  clicks: number;
  /** When the coupon last changed hands. Null if it never did. */
  transferredAt: number | null;
}

/** What a user may have in common with others. */
export interface ScannedAccount {
  userId: number;
  isAffiliate: boolean;
  email: string;
  website: string;
  methodType: MethodType | null;
  encryptedDetails: string | null;
  /** When the destination was saved. Null without details. */
  detailsSavedAt: number | null;
  /** SHA-256 of files. */
  invoices: readonly string[];
}

export interface UserLink {
  userId: number;
  link: string;
}

export interface NewUserLink extends UserLink {
  since: number;
}

export interface Partner extends UserLink {
  partnerId: number;
  /** When both had it. */
  since: number;
  /** Whether the user has it for a shorter time than the partner, and was not paid by it before a scan saw both. */
  isLater: boolean;
}

/** Reads what signals are computed from. Orders of former owners of a coupon do not count. */
export interface FactRepository {
  /** Users with something to scan, by id. */
  allUsers(): Promise<number[]>;
  /** Those about whom something has changed since they were scanned. */
  changedUsers(): Promise<number[]>;
  changes(userIds: readonly number[]): Promise<{ userId: number; version: number }[]>;
  coupons(userIds: readonly number[], today: string): Promise<ScannedCoupon[]>;
  /** Of stored day counts, one number for each window. */
  orderCounts(windows: readonly CouponDays[]): Promise<number[]>;
  clickCounts(windows: readonly CouponDays[]): Promise<number[]>;
  losses(windows: readonly CouponDays[]): Promise<Losses[]>;
  /** Of all coupons. */
  lossesOfDay(day: string): Promise<Losses>;
  /** Refunded, also in part, or cancelled; the newest. */
  lostOrders(windows: readonly CouponDays[], limit: number): Promise<OrderFact[]>;
  /** By a typed code, without a click of the coupon; the newest, and how many there are. */
  typedOrders(window: CouponDays, limit: number): Promise<{ orders: OrderFact[]; total: number }>;
  anyClicks(from: string, to: string): Promise<boolean>;
  fastOrders(windows: readonly CouponDays[], withinMs: number): Promise<(OrderFact & { delayMs: number })[]>;
  /** All orders since then of visitors that have one in the windows and orders of so many coupons. */
  visitorOrders(windows: readonly CouponDays[], since: number, coupons: number): Promise<(OrderFact & { visitorHash: string })[]>;
  /** Of each user and kind the newest, as many as the limit. */
  markedOrders(userIds: readonly number[], limit: number): Promise<MarkedOrder[]>;
  payoutLosses(userIds: readonly number[], window: { paidAfter: number; ordersFrom: string; withinMs: number }): Promise<PayoutLoss[]>;
  doubtfulPayouts(window: { paidFrom: string; replacedWithinMs: number }): Promise<DoubtfulPayout[]>;
  /** Days with so many clicks and no order. */
  clickDaysWithoutOrder(window: { from: string; to: string; clicks: number }): Promise<ClickDay[]>;
  accounts(userIds: readonly number[]): Promise<ScannedAccount[]>;
  linksOf(userIds: readonly number[]): Promise<UserLink[]>;
  partners(userIds: readonly number[]): Promise<Partner[]>;
}

/** Where a scan is, and what it keeps for the next one. */
export interface ScanRepository {
  /** Claims the lease or extends it. False while another holder has it. */
  claim(holder: string, now: number, until: number): Promise<boolean>;
  saveProgress(coupons: readonly ScannedCoupon[]): Promise<void>;
  /** Removes changes that are still as they were read. */
  clearChanges(changes: readonly { userId: number; version: number }[]): Promise<void>;
  addChanges(userIds: readonly number[]): Promise<void>;
  /**
   * In place of the links that these users have. Links that stay keep the moment since which they exist, and so does a destination that the user
   * was paid to, when it is saved again.
   */
  replaceLinks(userIds: readonly number[], links: readonly NewUserLink[], now: number): Promise<void>;
}
