import type { ClickCounts } from '../clicks/store.ts';
import type { Balances } from '../coupons/coupon.ts';
import type { Minor } from '../money.ts';
import type { DayRange } from '../range.ts';

/** The program as it stands. */
export interface Standing {
  /** Users with at least one published coupon. */
  affiliates: number;
  /** Published and assigned. */
  coupons: number;
  /** Of all coupons. */
  balances: Balances;
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

export interface MonthSales extends Sales {
  /** `2026-11` */
  month: string;
}

/** A day, and which version of it. Another one after every write to its orders, and after every coupon that went to somebody else. */
export interface DayVersion {
  day: string;
  version: string;
}

/** What affiliates earned on a day, for those who had orders. */
export interface DayEarnings {
  day: string;
  userId: number;
  commission: Minor;
}

export interface ReportStore {
  standing(): Promise<Standing>;
  /** Another text after every write that changes what a range of days comes to, in whichever process. */
  version(): Promise<string>;
  /** Of all coupons, also of those that are assigned to nobody. */
  sales(range: DayRange): Promise<Sales>;
  clicks(range: DayRange): Promise<ClickCounts>;
  /** Oldest first; months without orders are left out. */
  salesByMonth(range: DayRange): Promise<MonthSales[]>;
  /** Affiliates with orders, by commission, then by id. Adds up the days of all coupons. */
  best(range: DayRange, top: number): Promise<AffiliateSales[]>;
  /** The same of certain affiliates, whoever of them has orders. */
  salesOf(userIds: readonly number[], range: DayRange): Promise<AffiliateSales[]>;
  /** In no order; days that never had orders are left out. */
  days(range: DayRange): Promise<DayVersion[]>;
  /** In no order. */
  earnings(days: readonly string[]): Promise<DayEarnings[]>;
}
