import type { ListedOrder } from '../../domain/coupons/order-pages.ts';
import type { Order } from '../../domain/orders/order.ts';
import type { Columns } from '../sql/json-parameters.ts';
import { toSafeInteger } from './columns.ts';

/** What `orders` holds, in the order of `orderValues`. */
export const orderColumns = {
  order_id: 'bigint',
  coupon_id: 'bigint',
  used_coupon_id: 'bigint',
  day: 'text',
  placed_at: 'bigint',
  status: 'text',
  total_minor: 'bigint',
  discount_minor: 'bigint',
  shipping_minor: 'bigint',
  tax_minor: 'bigint',
  quantity: 'bigint',
  refunded_minor: 'bigint',
  percent_thousandths: 'bigint',
  fixed_per_order_minor: 'bigint',
  fixed_per_product_minor: 'bigint',
  commission_minor: 'bigint',
  commission_status: 'text',
  granted_at: 'bigint',
  due_at: 'bigint',
  credited_via: 'text',
  campaign: 'text',
  visitor_hash: 'text',
} as const satisfies Columns;

export const orderValues = (order: Order): unknown[] => [
  order.orderId,
  order.couponId,
  order.usedCouponId,
  order.day,
  order.placedAt,
  order.status,
  order.total,
  order.discount,
  order.shipping,
  order.tax,
  order.quantity,
  order.refunded,
  order.rates.percentThousandths,
  order.rates.fixedPerOrder,
  order.rates.fixedPerProduct,
  order.commission,
  order.commissionStatus,
  order.grantedAt,
  order.dueAt,
  order.creditedVia,
  order.campaign,
  order.visitorHash,
];

export type OrderRow = Record<keyof typeof orderColumns, unknown>;

const wholeOrNull = (stored: unknown): number | null => (stored === null ? null : toSafeInteger(stored));

/** What lists tell of an order. Half of what there is, and so half of the time that a page takes. */
export const listedColumns = [
  'order_id',
  'placed_at',
  'status',
  'total_minor',
  'discount_minor',
  'refunded_minor',
  'commission_minor',
  'commission_status',
  'granted_at',
  'credited_via',
  'campaign',
] as const satisfies (keyof OrderRow)[];

export const toListedOrder = (row: Pick<OrderRow, (typeof listedColumns)[number]>): ListedOrder => ({
  orderId: toSafeInteger(row.order_id),
  placedAt: toSafeInteger(row.placed_at),
  status: row.status as Order['status'],
  total: toSafeInteger(row.total_minor),
  discount: toSafeInteger(row.discount_minor),
  refunded: toSafeInteger(row.refunded_minor),
  commission: toSafeInteger(row.commission_minor),
  commissionStatus: row.commission_status as Order['commissionStatus'],
  grantedAt: wholeOrNull(row.granted_at),
  creditedVia: row.credited_via as Order['creditedVia'],
  campaign: row.campaign as string | null,
});

export const toOrder = (row: OrderRow): Order => ({
  ...toListedOrder(row),
  couponId: toSafeInteger(row.coupon_id),
  usedCouponId: wholeOrNull(row.used_coupon_id),
  day: String(row.day),
  shipping: toSafeInteger(row.shipping_minor),
  tax: toSafeInteger(row.tax_minor),
  quantity: toSafeInteger(row.quantity),
  rates: {
    percentThousandths: toSafeInteger(row.percent_thousandths),
    fixedPerOrder: toSafeInteger(row.fixed_per_order_minor),
    fixedPerProduct: toSafeInteger(row.fixed_per_product_minor),
  },
  dueAt: toSafeInteger(row.due_at),
  visitorHash: row.visitor_hash as string | null,
});
