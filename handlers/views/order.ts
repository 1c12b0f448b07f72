import { localDateTime } from '../../domain/dates.ts';
import { type Minor, toNumber } from '../../domain/money.ts';
import type { ListedOrder, ProgramOrder } from '../../domain/orders/order-pages.ts';
import type { components } from '../../generated/api.d.ts';
import { isAddOnActive } from '../../site/served.ts';
import type { Settings } from '../../site/settings/settings.ts';

/** The platform's ids of payments, by our numbers of their orders. */
export type ExternalIds = ReadonlyMap<number, string>;

/** Undefined without the add-on. */
export const externalIdView = (orderId: number, externalIds: ExternalIds, settings: Settings): string | null | undefined =>
  isAddOnActive('store', settings) ? (externalIds.get(orderId) ?? null) : undefined;

export function orderView(order: ListedOrder, externalIds: ExternalIds, settings: Settings): components['schemas']['Order'] {
  const { store } = settings;
  const externalId = externalIdView(order.orderId, externalIds, settings);
  const money = (amount: Minor): number => toNumber(amount, store.currency);
  return {
    order_id: order.orderId,
    ...(externalId !== undefined && { external_id: externalId }),
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

export const programOrderView = (
  order: ProgramOrder,
  externalIds: ExternalIds,
  settings: Settings,
): components['schemas']['ProgramOrder'] =>
  Object.assign(orderView(order, externalIds, settings), {
    coupon_id: order.couponId,
    coupon: order.couponCode,
    user_id: order.userId ?? 0,
  });
