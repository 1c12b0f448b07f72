import type { Figures } from '../../domain/figures/figures.ts';
import { type OrderStatus, orderStatuses } from '../../domain/orders/order.ts';
import { toSafeInteger } from './columns.ts';

/** The column that counts the orders of a status. */
export const countColumn: Record<OrderStatus, string> = {
  pending: 'n_pending',
  processing: 'n_processing',
  'on-hold': 'n_on_hold',
  completed: 'n_completed',
  failed: 'n_failed',
  cancelled: 'n_cancelled',
  refunded: 'n_refunded',
};

export const countColumns = orderStatuses.map((status) => countColumn[status]);

/** What `coupon_days` and `coupon_totals` have in common, in the order of `figureValues`. */
export const figureColumns = ['orders_count', 'sales_minor', 'discount_minor', 'shipping_minor', 'commission_minor', ...countColumns];

export const figureValues = (figures: Figures): number[] => [
  figures.ordersCount,
  figures.sales,
  figures.discount,
  figures.shipping,
  figures.commission,
  ...orderStatuses.map((status) => figures.statusCounts[status]),
];

export const toFigures = (row: Record<string, unknown>): Figures => ({
  ordersCount: toSafeInteger(row['orders_count']),
  sales: toSafeInteger(row['sales_minor']),
  discount: toSafeInteger(row['discount_minor']),
  shipping: toSafeInteger(row['shipping_minor']),
  commission: toSafeInteger(row['commission_minor']),
  statusCounts: Object.fromEntries(
    orderStatuses.map((status) => [status, toSafeInteger(row[countColumn[status]])]),
  ) as Figures['statusCounts'],
});
