import type { DayRange } from '../range.ts';
import type { DayFigures, FigureChange, Figures, Snapshot } from './figures.ts';

/** What orders amount to, kept with each order write: by coupon and day, and in all. */
export interface FigureStore {
  /** Whether anything is kept by the days of the store's calendar: an order, a click or a payout. */
  anyDays(): Promise<boolean>;
  /** Adds to what is kept, and gives every coupon that is named a new version, also where no figure moves. */
  add(changes: readonly FigureChange[]): Promise<void>;
  /** One for each coupon, by its id; with nothing in it where nothing is stored. */
  snapshotsOf(couponIds: readonly number[]): Promise<Map<number, Snapshot>>;
  /** By coupon id; those without orders in the range are left out. */
  inRange(couponIds: readonly number[], range: DayRange): Promise<Map<number, Figures>>;
  /** The coupons together, oldest day first; days without orders are left out. */
  byDay(couponIds: readonly number[], range: DayRange): Promise<DayFigures[]>;
  /** Takes the right to rebuild for so many seconds. 0 when it was free and is taken now, else the seconds until it is free. */
  claimRefresh(couponId: number, now: number, seconds: number): Promise<number>;
  /** Puts these days in the place of all that is kept. False, and nothing is done, when the coupon's orders were written since that version. */
  replace(couponId: number, version: number, days: readonly FigureChange[], refreshedAt: number): Promise<boolean>;
}
