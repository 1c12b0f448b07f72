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

export interface ProgramSales {
  /** Of all coupons, also of those that are assigned to nobody. */
  total: Sales;
  /** Affiliates with orders, by commission, then by id. */
  top: AffiliateSales[];
}

export interface ReportStore {
  standing(): Promise<Standing>;
  /** Another text after every write that changes what `sales` or `clicks` give, in whichever process. */
  version(): Promise<string>;
  sales(range: DayRange, top: number): Promise<ProgramSales>;
  /** Oldest first; months without orders are left out. */
  salesByMonth(range: DayRange): Promise<MonthSales[]>;
  clicks(range: DayRange): Promise<ClickCounts>;
}
