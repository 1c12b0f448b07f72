import type { OrderStatus } from '../../domain/orders/order.ts';
import { bigint, type Column, entity, nullable, primary, text, withDefault } from './columns.ts';

const figure = (name: string): Column<number> => withDefault(bigint(name), 0);

export const salesColumns = {
  ordersCount: figure('orders_count'),
  sales: figure('sales_minor'),
  discount: figure('discount_minor'),
  commission: figure('commission_minor'),
};

const figureColumns = { ...salesColumns, shipping: figure('shipping_minor') };

const statusCounts = {
  pending: figure('n_pending'),
  processing: figure('n_processing'),
  'on-hold': figure('n_on_hold'),
  completed: figure('n_completed'),
  failed: figure('n_failed'),
  cancelled: figure('n_cancelled'),
  refunded: figure('n_refunded'),
} satisfies Record<OrderStatus, unknown>;

export const couponDays = entity(
  'coupon_days',
  { couponId: primary(bigint('coupon_id')), day: primary(text('day')), ...figureColumns },
  { statusCounts },
);

export const couponTotals = entity(
  'coupon_totals',
  {
    couponId: primary(bigint('coupon_id')),
    ...figureColumns,
    version: figure('version'),
    refreshedAt: nullable(bigint('refreshed_at')),
    refreshClaimedAt: nullable(bigint('refresh_claimed_at')),
  },
  { statusCounts },
);

/** Kept by triggers. The user is the owner of the coupons, or 0 for the program. */
export const orderDays = entity(
  'order_days',
  { userId: primary(bigint('user_id')), day: primary(text('day')), part: primary(bigint('part')) },
  { statusCounts },
);
