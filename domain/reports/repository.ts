import type { ClickCounts } from '../clicks/repository.ts';
import type { BalanceSources, Balances } from '../coupons/coupon.ts';
import type { DayRange } from '../dates.ts';
import type { Minor } from '../money.ts';

/** The current state of the program. */
export interface ProgramOverview {
  /** Users with at least one published coupon. */
  affiliates: number;
  /** Published and assigned. */
  coupons: number;
  /** Of all coupons. */
  balances: Balances;
  sources: Omit<BalanceSources, 'awaitingPayment'>;
  pendingRegistrations: number;
}

export interface Sales {
  ordersCount: number;
  sales: Minor;
  discount: Minor;
  commission: Minor;
}

export interface AffiliateSales extends Sales {
  userId: number;
}

/** A day with orders or clicks. */
export interface DaySums extends Sales, ClickCounts {
  day: string;
}

/** A day with orders. */
export interface SalesDay {
  day: string;
  /** Changes with every write to its orders. */
  version: string;
  /** The number of coupons with sales. */
  coupons: number;
}

export interface SalesDays {
  /** In no order. */
  days: SalesDay[];
  /** Changes whenever a coupon changes hands. */
  owners: string;
}

export interface CouponEarnings {
  day: string;
  couponId: number;
  commission: Minor;
}

export interface ReportRepository {
  overview(): Promise<ProgramOverview>;
  /** Sums all orders that are not paid yet. */
  awaitingPayment(): Promise<Minor>;
  /** Changes with every write of an order or of clicks, in any process. */
  version(): Promise<string>;
  /** Of all coupons, also of those without an affiliate. */
  sales(range: DayRange): Promise<Sales>;
  clicks(range: DayRange): Promise<ClickCounts>;
  /** Oldest first; days on which nothing happened are left out. */
  byDay(range: DayRange): Promise<DaySums[]>;
  /** Affiliates with orders, by commission, then by id. Sums the days of all coupons in the database. */
  best(range: DayRange, top: number): Promise<AffiliateSales[]>;
  /** The same for the given affiliates; those without orders are omitted. */
  salesOf(userIds: readonly number[], range: DayRange): Promise<AffiliateSales[]>;
  days(range: DayRange): Promise<SalesDays>;
  /** Of coupons that sold something, in no order. */
  earnings(days: readonly string[]): Promise<CouponEarnings[]>;
  /** At most so many of one day, of the coupons after this one, in the order of their ids. */
  earningsAfter(day: string, couponId: number, limit: number): Promise<CouponEarnings[]>;
  /** User id by coupon id; coupons without an affiliate are omitted. */
  ownersOf(couponIds: readonly number[]): Promise<Map<number, number>>;
}
