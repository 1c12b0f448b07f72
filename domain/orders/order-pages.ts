import type { DayRange } from '../dates.ts';
import type { Minor } from '../money.ts';
import type { Page, Paged } from '../page.ts';
import type { CommissionStatus, Order, OrderStatus } from './order.ts';

export interface OrderFilter {
  range: DayRange;
  status?: OrderStatus;
  commissionStatus?: CommissionStatus;
}

/** The orders of one status on one day, added up. */
export interface OrderSums {
  day: string;
  status: OrderStatus;
  count: number;
  total: Minor;
  refunded: Minor;
  discount: Minor;
  shipping: Minor;
  commission: Minor;
}

/** The fields of an order in lists. */
export type ListedOrder = Pick<
  Order,
  | 'orderId'
  | 'placedAt'
  | 'status'
  | 'total'
  | 'discount'
  | 'commission'
  | 'commissionStatus'
  | 'grantedAt'
  | 'refunded'
  | 'creditedVia'
  | 'campaign'
>;

/** Which orders of the program are listed. Each condition that is given narrows the list. */
export interface ProgramOrderFilter extends OrderFilter {
  couponId?: number | undefined;
  /** The present owner of the coupons. */
  userId?: number | undefined;
  /** The number or an external id of an order, or the code of coupons. */
  search?: string | undefined;
}

/** An order in the list of the program, with its coupon. */
export interface ProgramOrder extends ListedOrder {
  couponId: number;
  couponCode: string;
  /** Null for a coupon that is not assigned. */
  userId: number | null;
}

/** Orders, for reading. */
export interface OrderPageRepository {
  /** Those of a coupon, newest first. */
  page(couponId: number, filter: OrderFilter, page: Page): Promise<Paged<ListedOrder>>;
  /** Those of the program, newest first. */
  programPage(filter: ProgramOrderFilter, page: Page): Promise<Paged<ProgramOrder>>;
  /** The next month with orders after a day, or what is left of it; from the beginning when no day is given. Empty at the end. */
  nextMonth(couponId: number, after: string | undefined): Promise<OrderSums[]>;
}
