import { commissionOf } from '../../domain/commission/commission.ts';
import { dayOf } from '../../domain/dates.ts';
import { lastMoment } from './dataset/sizes.ts';

/** Spelled out here, because also earlier versions of the service read it: see `targets/ingest.ts`. */
export interface NewOrder {
  orderId: number;
  couponId: number;
  placedAt: number;
  status: 'completed';
  total: number;
  discount: number;
  shipping: number;
  tax: number;
  refunded: number;
  quantity: number;
}

const firstId = 100_000_000;
const rates = { percentThousandths: 10_000, fixedPerOrder: 0, fixedPerProduct: 0 };

/** Completed orders that no data set has, spread over its coupons. */
export const newOrders = (count: number, offset: number, coupons: number): NewOrder[] =>
  Array.from({ length: count }, (_, index) => {
    const number = offset + index;
    const total = 1000 + ((number * 7919) % 20_000);
    return {
      orderId: firstId + number,
      couponId: 1 + ((number * 31) % coupons),
      placedAt: lastMoment + number * 1000,
      status: 'completed',
      total,
      discount: Math.floor(total / 10),
      shipping: 490,
      tax: 0,
      refunded: 0,
      quantity: 1,
    };
  });

/** As a line of an import file. */
export const importLineOf = ({ orderId, couponId, placedAt, status, total, discount, shipping }: NewOrder): Record<string, unknown> => ({
  kind: 'order',
  order_id: orderId,
  coupon_id: couponId,
  date: new Date(placedAt).toISOString(),
  status,
  total: total / 100,
  discount: discount / 100,
  shipping: shipping / 100,
});

/** As a row of the table. */
export const orderRowOf = (order: NewOrder): Record<string, unknown> => ({
  order_id: order.orderId,
  coupon_id: order.couponId,
  used_coupon_id: order.couponId,
  day: dayOf(order.placedAt, 'UTC'),
  placed_at: order.placedAt,
  status: order.status,
  total_minor: order.total,
  discount_minor: order.discount,
  shipping_minor: order.shipping,
  tax_minor: order.tax,
  quantity: order.quantity,
  refunded_minor: order.refunded,
  percent_thousandths: rates.percentThousandths,
  fixed_per_order_minor: 0,
  fixed_per_product_minor: 0,
  commission_minor: commissionOf(order, rates),
  commission_status: 'granted',
  granted_at: order.placedAt,
  due_at: order.placedAt,
  credited_via: 'coupon',
  campaign: null,
  visitor_hash: null,
});
