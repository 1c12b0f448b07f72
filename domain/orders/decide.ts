import { withCommission } from '../commission/commission-status.ts';
import { foldCode } from '../coupons/terms.ts';
import { dayOf } from '../dates.ts';
import type { Decision } from './decision.ts';
import { firstRecording } from './first-recording.ts';
import { type IncomingOrder, isBearable } from './incoming.ts';
import type { Order } from './order.ts';
import type { Known } from './order-context.ts';
import type { Surroundings } from './surroundings.ts';

const refused = (reason: string): Decision => ({ outcome: 'refused', reason });

/** What becomes of an order that has come in. */
export function decide(incoming: IncomingOrder, known: Known, surroundings: Surroundings): Decision {
  const before = known.orders.get(incoming.orderId);
  const decision = before ? change(before, incoming, known, surroundings) : firstRecording(incoming, known, surroundings);
  const isTooMuch = 'step' in decision && !isBearable(decision.step.after.commission);
  return isTooMuch ? refused('The commission would be beyond all bounds.') : decision;
}

/**
 * Who is credited, and at which rates, was settled at the first recording. A store that names another coupon later is refused, because
 * silently the wrong affiliate would keep the commission, and silently moving it would take from one what may have been paid out.
 */
function change(before: Order, incoming: IncomingOrder, known: Known, { program, now }: Surroundings): Decision {
  if (!namesSameCoupon(before, incoming, known)) {
    const recorded = before.usedCouponId === null ? 'without a coupon' : `with coupon ${before.usedCouponId}`;
    return refused(`The order was recorded ${recorded}, and its coupon cannot change.`);
  }
  const campaign = incoming.campaign ?? before.campaign;
  if (campaign === before.campaign && contents.every((name) => before[name] === incoming[name])) return { outcome: 'unchanged' };
  const { placedAt, status, total, discount, shipping, tax, quantity, refunded } = incoming;
  const told = { placedAt, status, total, discount, shipping, tax, quantity, refunded, campaign };
  const days = { day: dayOf(placedAt, program.zone), dueAt: before.dueAt + (placedAt - before.placedAt) };
  return { outcome: 'changed', step: { before, after: withCommission({ ...before, ...told, ...days }, before, now) } };
}

/** What the store may tell otherwise later. Who the visitor is matters at the first recording alone. */
const contents = ['placedAt', 'status', 'total', 'discount', 'shipping', 'tax', 'quantity', 'refunded'] as const;

/** By its id or its code. A code is held against the coupon of then, so that it may have become ambiguous since. */
function namesSameCoupon({ usedCouponId }: Order, { couponId, couponCode }: IncomingOrder, known: Known): boolean {
  if (couponId !== undefined) return couponId === usedCouponId;
  if (couponCode === undefined) return true;
  const used = usedCouponId === null ? undefined : known.coupons.get(usedCouponId);
  return used?.codeFolded === foldCode(couponCode);
}
