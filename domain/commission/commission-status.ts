import type { CommissionStatus, Order, OrderStatus } from '../orders/order.ts';
import { commissionOf, netOf } from './commission.ts';

/** An order before its commission is worked out. */
export type OrderFacts = Omit<Order, 'commission' | 'commissionStatus' | 'grantedAt'>;

const lost: readonly OrderStatus[] = ['cancelled', 'failed', 'refunded'];

const isRefundedInFull = (order: OrderFacts): boolean => order.refunded > 0 && order.refunded === netOf(order);

/**
 * pending → granted → reversed. What was granted stays so until it is reversed, also when the order goes back to processing. A reversed
 * order that comes back starts anew.
 */
function statusOf(order: OrderFacts, before: CommissionStatus | null, now: number): CommissionStatus {
  if (lost.includes(order.status) || isRefundedInFull(order)) return 'reversed';
  if (before === 'granted') return 'granted';
  return order.status === 'completed' && order.dueAt <= now ? 'granted' : 'pending';
}

/**
 * The order with its commission as the rules have it at this moment. `before` is the order as it was kept until now. Written out, because
 * adding to a copy (`{ ...order, commission }`) costs fifty times as much, which an import feels.
 */
export function withCommission(order: OrderFacts, before: Order | null, now: number): Order {
  const commissionStatus = statusOf(order, before?.commissionStatus ?? null, now);
  return {
    orderId: order.orderId,
    couponId: order.couponId,
    usedCouponId: order.usedCouponId,
    day: order.day,
    placedAt: order.placedAt,
    status: order.status,
    total: order.total,
    discount: order.discount,
    shipping: order.shipping,
    tax: order.tax,
    quantity: order.quantity,
    refunded: order.refunded,
    rates: order.rates,
    commission: commissionStatus === 'reversed' ? 0 : commissionOf(order, order.rates),
    commissionStatus,
    grantedAt: commissionStatus === 'granted' ? grantedAtOf(order, before, now) : null,
    dueAt: order.dueAt,
    creditedVia: order.creditedVia,
    campaign: order.campaign,
    visitorHash: order.visitorHash,
  };
}

/**
 * As `date_paid` of a payout: set on entering, null again on leaving. What is recorded when it was due already (the history of a store)
 * was granted when it became due.
 */
function grantedAtOf(order: OrderFacts, before: Order | null, now: number): number {
  return before === null ? order.dueAt : (before.grantedAt ?? now);
}
