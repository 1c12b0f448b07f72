import type { DayRange } from '../range.ts';
import type { Click } from './click.ts';

/** A visitor and a time, both ends included: in which a click would count for an order of theirs, or an order for a click. */
export interface Candidate {
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

export interface UnledOrder {
  orderId: number;
  visitorHash: string;
  placedAt: number;
}

export interface Conversion {
  clickId: number;
  orderId: number;
}

export interface ClickFilter {
  couponId: number | null;
  campaign: string | null;
}

export interface ClickCounts {
  clicks: number;
  /** Clicks that an order of the same visitor followed. */
  conversions: number;
}

export interface ClickFigures extends ClickCounts {
  /** Distinct visitors within the range: somebody who comes on two days is one. */
  uniqueClicks: number;
}

export interface ClickStore {
  /** Leaves out those that are there already. How many were new. */
  insert(clicks: readonly Click[]): Promise<number>;
  /** All clicks of these visitors within those times, each once. */
  attributing(candidates: readonly Candidate[]): Promise<AttributingClick[]>;
  /** A click converts at most once: those that did already stay as they are. */
  convert(conversions: readonly Conversion[]): Promise<void>;
  /** The orders of these visitors within those times to which no click has led so far. */
  ordersWithoutClick(candidates: readonly Candidate[]): Promise<UnledOrder[]>;
  /** One result for each range, in their order. The ranges may overlap. */
  figures(filter: ClickFilter, ranges: readonly DayRange[]): Promise<ClickFigures[]>;
  /** The first and the last day with such a click within the range; null without any. */
  extent(filter: ClickFilter, range: DayRange): Promise<{ from: string; to: string } | null>;
}
