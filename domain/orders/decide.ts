import { withCommission } from '../commission/commission-status.ts';
import { foldCode } from '../coupons/terms.ts';
import { dayOf } from '../dates.ts';
import type { ChangeContext } from './change-context.ts';
import { type IncomingOrder, isValidAmount } from './incoming.ts';
import { decideNewOrder } from './new-order.ts';
import type { Order } from './order.ts';
import type { OrderDecision } from './order-change.ts';
import type { OrderContext } from './order-context.ts';

const refused = (reason: string): OrderDecision => ({ outcome: 'refused', reason });

export function decideOrder(incoming: IncomingOrder, loaded: OrderContext, context: ChangeContext): OrderDecision {
  const before = loaded.orders.get(incoming.orderId);
  const decision = before ? decideChange(before, incoming, loaded, context) : decideNewOrder(incoming, loaded, context);
  const isTooLarge = 'change' in decision && !isValidAmount(decision.change.after.commission);
  return isTooLarge ? refused('The commission would be beyond all bounds.') : decision;
}

/**
 * The credited coupon and the rates are fixed at the first recording. An update with another coupon is refused: keeping the old one would
 * credit the wrong affiliate, and moving the commission could take back what was paid out.
 */
function decideChange(before: Order, incoming: IncomingOrder, loaded: OrderContext, { program, now }: ChangeContext): OrderDecision {
  if (!namesSameCoupon(before, incoming, loaded)) {
    const recorded = before.usedCouponId === null ? 'without a coupon' : `with coupon ${before.usedCouponId}`;
    return refused(`The order was recorded ${recorded}, and its coupon cannot change.`);
  }
  const campaign = incoming.campaign ?? before.campaign;
  if (campaign === before.campaign && updatable.every((name) => before[name] === incoming[name])) return { outcome: 'unchanged' };
  const { placedAt, status, total, discount, shipping, tax, quantity, refunded } = incoming;
  const update = { placedAt, status, total, discount, shipping, tax, quantity, refunded, campaign };
  const days = { day: dayOf(placedAt, program.zone), dueAt: before.dueAt + (placedAt - before.placedAt) };
  return { outcome: 'changed', change: { before, after: withCommission({ ...before, ...update, ...days }, before, now) } };
}

/** What an update may change. The visitor matters at the first recording only. */
const updatable = ['placedAt', 'status', 'total', 'discount', 'shipping', 'tax', 'quantity', 'refunded'] as const;

/** Compares a code with the recorded coupon, because the code may have become ambiguous since. */
function namesSameCoupon({ usedCouponId }: Order, { couponId, couponCode }: IncomingOrder, loaded: OrderContext): boolean {
  if (couponId !== undefined) return couponId === usedCouponId;
  if (couponCode === undefined) return true;
  const used = usedCouponId === null ? undefined : loaded.coupons.get(usedCouponId);
  return used?.codeFolded === foldCode(couponCode);
}
