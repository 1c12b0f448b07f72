import type { CommissionStatus, Order, OrderStatus } from '../orders/order.ts';
import type { Page, Paged } from '../page.ts';
import type { DayRange } from '../range.ts';

export interface OrderFilter {
  range: DayRange;
  status?: OrderStatus;
  commissionStatus?: CommissionStatus;
}

/** The orders of a coupon, for reading. */
export interface OrderPageStore {
  /** Newest first. */
  page(couponId: number, filter: OrderFilter, page: Page): Promise<Paged<Order>>;
  /** The next orders in the order in which they were placed, for reading all of them in turn. */
  batchAfter(couponId: number, last: Order | undefined, limit: number): Promise<Order[]>;
}
