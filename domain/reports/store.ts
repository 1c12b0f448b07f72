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

/** A day with orders. */
export interface SalesDay {
  day: string;
  /** Another one after every write to its orders. */
  version: string;
  /** How many coupons sold something. */
  coupons: number;
}

export interface SalesDays {
  /** In no order. */
  days: SalesDay[];
  /** Another one after every coupon that went to somebody else. */
  owners: string;
}

/** What a coupon earned on a day. */
export interface CouponEarnings {
  day: string;
  couponId: number;
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
  days(range: DayRange): Promise<SalesDays>;
  /** Of coupons that sold something, in no order. */
  earnings(days: readonly string[]): Promise<CouponEarnings[]>;
  /** By coupon. Those that are assigned to nobody have none. */
  ownersOf(couponIds: readonly number[]): Promise<Map<number, number>>;
}
