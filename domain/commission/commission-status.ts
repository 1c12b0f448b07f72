import type { CommissionStatus, Order, OrderStatus } from '../orders/order.ts';
import type { Program } from '../program.ts';
import { commissionOf, netOf } from './commission.ts';

/** An order before its commission is computed. */
export type OrderFacts = Omit<Order, 'commission' | 'hasCompleted' | 'commissionStatus' | 'grantedAt'>;

/** What of the stored order decides about its commission. */
export type CommissionState = Pick<Order, 'commissionStatus' | 'grantedAt' | 'hasCompleted'>;

const dayMilliseconds = 86_400_000;

/** When the clearing days are over. Days of 24 hours: daylight saving time does not change the length of the return period. */
export const dueAfter = (moment: number, { clearingDays }: Pick<Program, 'clearingDays'>): number =>
  moment + clearingDays * dayMilliseconds;

const lost: readonly OrderStatus[] = ['cancelled', 'failed', 'refunded'];

const isRefundedInFull = (order: Pick<OrderFacts, 'refunded' | 'total' | 'discount'>): boolean =>
  order.refunded > 0 && order.refunded === netOf(order);

/** Whether the order earns no commission. */
export const isLost = (order: Pick<OrderFacts, 'status' | 'refunded' | 'total' | 'discount'>): boolean =>
  lost.includes(order.status) || isRefundedInFull(order);

/**
 * pending → granted → reversed. Granted commission stays granted until it is reversed, also when the order returns to processing. A
 * reversed order that is completed again starts as pending.
 */
function statusOf(order: OrderFacts, before: CommissionStatus | null, now: number): CommissionStatus {
  if (isLost(order)) return 'reversed';
  if (before === 'granted') return 'granted';
  return order.status === 'completed' && order.dueAt <= now ? 'granted' : 'pending';
}

/**
 * Computes an order's commission. `before` is the stored order. The fields are written out because `{ ...order, commission }` costs fifty
 * times as much (benchmark row `import`).
 */
export function withCommission(order: OrderFacts, before: CommissionState | null, now: number): Order {
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
    hasCompleted: commissionStatus !== 'reversed' && (order.status === 'completed' || before?.hasCompleted === true),
    creditedVia: order.creditedVia,
    campaign: order.campaign,
    visitorHash: order.visitorHash,
    handovers: order.handovers,
  };
}

/**
 * Set when commission is granted, null when it is reversed. An order that was already due when it was recorded counts as granted on its
 * due date.
 */
function grantedAtOf(order: OrderFacts, before: CommissionState | null, now: number): number {
  return before === null ? order.dueAt : (before.grantedAt ?? now);
}
