import { localDateTime } from '../../domain/dates.ts';
import { type Minor, toNumber } from '../../domain/money.ts';
import type { ListedOrder, ProgramOrder } from '../../domain/orders/order-pages.ts';
import type { components } from '../../generated/api.d.ts';
import type { Settings } from '../../site/settings/settings.ts';

export function orderView(order: ListedOrder, { store }: Settings): components['schemas']['Order'] {
  const money = (amount: Minor): number => toNumber(amount, store.currency);
  return {
    order_id: order.orderId,
    date: localDateTime(order.placedAt, store.timezone),
    status: order.status,
    total: money(order.total),
    discount: money(order.discount),
    commission: money(order.commission),
    currency: store.currency,
    commission_status: order.commissionStatus,
    date_granted: order.grantedAt === null ? null : localDateTime(order.grantedAt, store.timezone),
    refunded_amount: money(order.refunded),
    credited_via: order.creditedVia,
    campaign: order.campaign,
  };
}

export const programOrderView = (order: ProgramOrder, settings: Settings): components['schemas']['ProgramOrder'] =>
  Object.assign(orderView(order, settings), { coupon_id: order.couponId, coupon: order.couponCode, user_id: order.userId ?? 0 });
