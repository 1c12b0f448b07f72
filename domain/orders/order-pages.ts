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

/** The orders of a coupon, for reading. */
export interface OrderPageRepository {
  /** Newest first. */
  page(couponId: number, filter: OrderFilter, page: Page): Promise<Paged<ListedOrder>>;
  /** The next month with orders after a day, or what is left of it; from the beginning when no day is given. Empty at the end. */
  nextMonth(couponId: number, after: string | undefined): Promise<OrderSums[]>;
}
