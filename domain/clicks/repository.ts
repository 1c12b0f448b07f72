import type { DayRange } from '../dates.ts';

/** A visit through a referral link. The shop's visitor id is stored as a keyed hash; addresses are not stored. */
export interface Click {
  couponId: number;
  day: string;
  clickedAt: number;
  visitorHash: string;
  campaign: string | null;
  referrer: string | null;
  landingPage: string | null;
}

/** What makes a click unique. */
export type ClickKey = Pick<Click, 'couponId' | 'clickedAt' | 'visitorHash'>;

/** A visitor and a period, both ends included, in which a click counts for an order. */
export interface VisitorWindow {
  visitorHash: string;
  from: number;
  to: number;
}

export interface AttributingClick {
  visitorHash: string;
  clickedAt: number;
  couponId: number;
  campaign: string | null;
  clickId: number;
}

export interface StoredClick extends AttributingClick {
  convertedOrderId: number | null;
}

export interface OrderWithoutClick {
  orderId: number;
  visitorHash: string;
  placedAt: number;
}

export interface Conversion {
  clickId: number;
  orderId: number;
}

/** The clicks of a coupon, or of all. */
export interface CouponClicks {
  couponId: number | null;
  campaign: string | null;
}

/** The clicks of all coupons of a user. */
export interface UserClicks {
  userId: number;
  campaign: string | null;
  /** The time zone of the store, in which its days begin. */
  zone: string;
}

export type ClickFilter = CouponClicks | UserClicks;

export interface ClickCounts {
  clicks: number;
  /** Clicks followed by an order of the same visitor. */
  conversions: number;
}

export interface ClickFigures extends ClickCounts {
  /** Distinct visitors within the range. */
  uniqueClicks: number;
}

export interface ClickRepository {
  /** Skips clicks that exist. Returns the new ones. */
  insert(clicks: readonly Click[]): Promise<ClickKey[]>;
  /** The clicks of these visitors within their periods, each once. */
  attributing(candidates: readonly VisitorWindow[]): Promise<AttributingClick[]>;
  /** At most so many clicks of a visitor within the period, newest first. */
  latest(window: VisitorWindow, limit: number): Promise<StoredClick[]>;
  /** A click converts at most once: converted clicks do not change. */
  convert(conversions: readonly Conversion[]): Promise<void>;
  /** The orders of these visitors within their periods that have no click yet. */
  ordersWithoutClick(candidates: readonly VisitorWindow[]): Promise<OrderWithoutClick[]>;
  /** One result for each range, in their order. The ranges may overlap. */
  figures(filter: ClickFilter, ranges: readonly DayRange[]): Promise<ClickFigures[]>;
  /** The first and last day with a matching click; null without any. */
  extent(filter: ClickFilter, range: DayRange): Promise<{ from: string; to: string } | null>;
}
