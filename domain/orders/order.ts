import type { Minor } from '../money.ts';
import type { Rates } from '../program.ts';

export const orderStatuses = ['pending', 'processing', 'on-hold', 'completed', 'failed', 'cancelled', 'refunded'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export type CommissionStatus = 'pending' | 'granted' | 'reversed';
export type CreditedVia = 'coupon' | 'referral_link' | 'lifetime';

/** A referred order as it is stored. It contains no customer data. */
export interface Order {
  /** The store's own number. */
  orderId: number;
  /** The credited coupon. */
  couponId: number;
  /** The coupon that the store named; a link may take precedence. Null if it named none. */
  usedCouponId: number | null;
  /** The day it was placed, in the store's time zone. Lists and figures use it. */
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
  /** Fixed when the order is first recorded, so that a later change of the store's rates does not rewrite history. */
  rates: Rates;
  commission: Minor;
  commissionStatus: CommissionStatus;
  grantedAt: number | null;
  /** When the clearing days are over: before the order is completed, as many days after it was placed. */
  dueAt: number;
  /** Completed, and not reversed since: its clearing days have begun, and go on when it is processing again. */
  hasCompleted: boolean;
  creditedVia: CreditedVia;
  campaign: string | null;
  visitorHash: string | null;
  /** How often the coupon had changed hands when the order was recorded. */
  handovers: number;
}

/** A multi-level parent's share of an order's commission. Recipient and rate are fixed when the commission is first granted. */
export interface Share {
  orderId: number;
  /** 1 for the direct parent. */
  tier: number;
  couponId: number;
  userId: number;
  /** Whole thousandths of a percent of the commission. */
  rateThousandths: number;
  amount: Minor;
  /** How often the recipient's coupon had changed hands when the share was created. */
  handovers: number;
}

/** Credits all orders of a visitor that are placed from then on to a coupon. */
export interface LifetimeLink {
  visitorHash: string;
  couponId: number;
  createdAt: number;
}

/** Orders may arrive later than those that were placed after them. */
export const holdsFor = ({ createdAt }: LifetimeLink, { placedAt }: Pick<Order, 'placedAt'>): boolean => createdAt <= placedAt;

/** An order that is not placed in the end: neither a referral of its customer, nor a payment of a subscription. */
export const isNeverPlaced = ({ status }: Pick<Order, 'status'>): boolean => status === 'failed' || status === 'cancelled';

export interface OrderRepository {
  byIds(orderIds: readonly number[]): Promise<Order[]>;
  /** Inserts or updates. Coupon, rates and attribution are written at the first recording only. */
  save(orders: readonly Order[]): Promise<void>;
  anyDue(now: number): Promise<boolean>;
  /** At most `limit` orders whose commission is due, the longest overdue first. None while another process grants them. */
  claimDue(now: number, limit: number): Promise<Order[]>;
  sharesOf(orderIds: readonly number[]): Promise<Share[]>;
  saveShares(shares: readonly Share[]): Promise<void>;
  lifetimeLinksOf(visitorHashes: readonly string[]): Promise<LifetimeLink[]>;
  /** A visitor who has a link keeps it. */
  addLifetimeLinks(links: readonly LifetimeLink[]): Promise<void>;
}
