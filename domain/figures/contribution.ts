import { type Order, type OrderStatus, orderStatuses } from '../orders/order.ts';
import type { FigureChange } from './figures.ts';

const sales: readonly OrderStatus[] = ['processing', 'on-hold', 'completed'];

export const countsAsSale = (status: OrderStatus): boolean => sales.includes(status);

/** What one order adds to the figures of its coupon on its day. Of orders that are no sales only the status is counted. */
export function contributionOf(order: Order): FigureChange {
  const times = countsAsSale(order.status) ? 1 : 0;
  return {
    couponId: order.couponId,
    day: order.day,
    ordersCount: times,
    sales: times * (order.total - order.refunded),
    discount: times * order.discount,
    shipping: times * order.shipping,
    commission: times * order.commission,
    statusCounts: onlyThis(order.status),
  };
}

/** The same with the sign turned: what the figures lose when the order is no longer as it was. */
export function withdrawalOf(order: Order): FigureChange {
  const { couponId, day, statusCounts, ...amounts } = contributionOf(order);
  return {
    couponId,
    day,
    ordersCount: 0 - amounts.ordersCount,
    sales: 0 - amounts.sales,
    discount: 0 - amounts.discount,
    shipping: 0 - amounts.shipping,
    commission: 0 - amounts.commission,
    statusCounts: { ...statusCounts, [order.status]: -1 },
  };
}

const none = Object.fromEntries(orderStatuses.map((status) => [status, 0])) as Record<OrderStatus, number>;

const onlyThis = (status: OrderStatus): Record<OrderStatus, number> => ({ ...none, [status]: 1 });
