import { toNumber } from '../../../domain/money.ts';
import type { IncomingOrder } from '../../../domain/orders/incoming.ts';
import { type Order, orderStatuses } from '../../../domain/orders/order.ts';
import { id, moment, money, oneOf, optional, percent, readFields, type Store, text, whole } from '../fields.ts';
import { writtenMoment } from '../moments.ts';
import { unless } from '../omit-default.ts';
import { visitor, writtenVisitor } from './visitor.ts';

export const orderFields = {
  order_id: whole(1, Number.MAX_SAFE_INTEGER),
  coupon_id: optional(id),
  coupon_code: optional(text(100)),
  date: moment,
  status: oneOf(orderStatuses),
  total: money,
  discount: optional(money),
  shipping: optional(money),
  tax: optional(money),
  quantity: optional(whole(0, 1_000_000)),
  refunded_amount: optional(money),
  campaign: optional(text(100)),
  visitor: optional(visitor),
  percent: optional(percent),
  fixed_per_order: optional(money),
  fixed_per_product: optional(money),
};

export function readOrder(raw: Record<string, unknown>, store: Store): IncomingOrder {
  const fields = readFields(orderFields, raw, store);
  return {
    orderId: fields.order_id,
    couponId: fields.coupon_id,
    couponCode: fields.coupon_code,
    placedAt: fields.date,
    status: fields.status,
    total: fields.total,
    discount: fields.discount ?? 0,
    shipping: fields.shipping ?? 0,
    tax: fields.tax ?? 0,
    quantity: fields.quantity ?? 1,
    refunded: fields.refunded_amount ?? 0,
    campaign: fields.campaign,
    visitor: fields.visitor,
    rates: { percentThousandths: fields.percent, fixedPerOrder: fields.fixed_per_order, fixedPerProduct: fields.fixed_per_product },
  };
}

/** With the rates it was recorded at, which the coupon may have left behind since, and with the coupon that the store named. Whom a link has brought is found out again, by the clicks. */
export function writeOrder(order: Order, { zone, currency }: Store): Record<string, unknown> {
  const amount = (minor: number): number => toNumber(minor, currency);
  return {
    order_id: order.orderId,
    coupon_id: unless(order.usedCouponId, null),
    date: writtenMoment(order.placedAt, zone),
    status: order.status,
    total: amount(order.total),
    discount: unless(amount(order.discount), 0),
    shipping: unless(amount(order.shipping), 0),
    tax: unless(amount(order.tax), 0),
    quantity: unless(order.quantity, 1),
    refunded_amount: unless(amount(order.refunded), 0),
    campaign: unless(order.campaign, null),
    visitor: order.visitorHash === null ? undefined : writtenVisitor(order.visitorHash),
    percent: order.rates.percentThousandths / 1000,
    fixed_per_order: amount(order.rates.fixedPerOrder),
    fixed_per_product: amount(order.rates.fixedPerProduct),
  };
}
