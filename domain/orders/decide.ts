import { creditOf, leadingClick, windowOf } from '../attribution/attribute.ts';
import type { AttributingClick } from '../clicks/store.ts';
import { ratesOf } from '../commission/commission.ts';
import { type OrderFacts, withCommission } from '../commission/life.ts';
import { type CouponTerms, foldCode } from '../coupons/terms.ts';
import { dayOf } from '../dates.ts';
import { type IncomingOrder, isBearable } from './incoming.ts';
import type { Known } from './known.ts';
import type { Order } from './order.ts';
import type { Step } from './step.ts';
import type { Surroundings } from './surroundings.ts';

export type Decision =
  | { outcome: 'unchanged' | 'unattributed' }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'recorded' | 'changed'; step: Step; click?: AttributingClick | undefined };

const dayMilliseconds = 86_400_000;

const refused = (reason: string): Decision => ({ outcome: 'refused', reason });

/** What becomes of an order that has come in. */
export function decide(incoming: IncomingOrder, known: Known, surroundings: Surroundings): Decision {
  const before = known.orders.get(incoming.orderId);
  const decision = before ? change(before, incoming, known, surroundings) : firstRecording(incoming, known, surroundings);
  return 'step' in decision && !isBearable(decision.step.after.commission) ? refused('The commission would be beyond all bounds.') : decision;
}

function firstRecording(incoming: IncomingOrder, known: Known, surroundings: Surroundings): Decision {
  const used = couponNamed(incoming, known);
  if (typeof used === 'string') return refused(used);
  const visitorHash = incoming.visitor === undefined ? null : known.hashOf(incoming.visitor);
  const link = visitorHash === null ? undefined : known.lifetimeLinks.get(visitorHash);
  const click = visitorHash === null ? undefined : clickBefore(incoming, visitorHash, known, surroundings);
  const clicked = click && published(click.couponId, known);
  const credit = creditOf({
    lifetime: link && published(link.couponId, known),
    click: clicked && { coupon: clicked, campaign: click.campaign },
    used,
  });
  if (!credit) return { outcome: 'unattributed' };
  const { program, now } = surroundings;
  const order: OrderFacts = {
    ...amountsOf(incoming, program.zone),
    orderId: incoming.orderId,
    couponId: credit.coupon.id,
    usedCouponId: used?.id ?? null,
    rates: ratesOf(credit.coupon, program.rates),
    // Days of 24 hours: a change of the clock neither shortens nor lengthens the time to send something back.
    dueAt: incoming.placedAt + program.clearingDays * dayMilliseconds,
    creditedVia: credit.creditedVia,
    campaign: incoming.campaign ?? credit.campaign,
    visitorHash,
  };
  return { outcome: 'recorded', step: { before: null, after: withCommission(order, null, now) }, click };
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
  const facts = { ...before, ...amountsOf(incoming, program.zone), campaign: incoming.campaign ?? before.campaign };
  if (isSame(before, facts)) return { outcome: 'unchanged' };
  const dueAt = before.dueAt + (incoming.placedAt - before.placedAt);
  return { outcome: 'changed', step: { before, after: withCommission({ ...facts, dueAt }, before, now) } };
}

const contents = ['placedAt', 'status', 'total', 'discount', 'shipping', 'tax', 'quantity', 'refunded', 'campaign'] as const;

const isSame = (before: Order, facts: OrderFacts): boolean => contents.every((name) => before[name] === facts[name]);

const amountsOf = ({ placedAt, status, total, discount, shipping, tax, quantity, refunded }: IncomingOrder, zone: string) => ({
  day: dayOf(placedAt, zone),
  placedAt,
  status,
  total,
  discount,
  shipping,
  tax,
  quantity,
  refunded,
});

/** The coupon that the store names, undefined when it names none, or why there is no telling. */
function couponNamed({ couponId, couponCode }: IncomingOrder, known: Known): CouponTerms | undefined | string {
  if (couponId !== undefined) return known.coupons.get(couponId) ?? `There is no coupon ${couponId}.`;
  if (couponCode === undefined) return undefined;
  const [coupon, another] = known.publishedByCode.get(foldCode(couponCode)) ?? [];
  if (another) return `More than one published coupon answers to the code ${couponCode}. Name one by its id.`;
  return coupon ?? `There is no published coupon with the code ${couponCode}.`;
}

/** By its id or its code. A code is held against the coupon of then, so that it may have become ambiguous since. */
function namesSameCoupon({ usedCouponId }: Order, { couponId, couponCode }: IncomingOrder, known: Known): boolean {
  if (couponId !== undefined) return couponId === usedCouponId;
  if (couponCode === undefined) return true;
  const used = usedCouponId === null ? undefined : known.coupons.get(usedCouponId);
  return used?.codeFolded === foldCode(couponCode);
}

function clickBefore({ placedAt }: IncomingOrder, visitorHash: string, known: Known, { program }: Surroundings) {
  const clicks = known.clicks.get(visitorHash)?.filter(({ couponId }) => published(couponId, known)) ?? [];
  return leadingClick(clicks, windowOf(visitorHash, placedAt, program));
}

function published(couponId: number, known: Known): CouponTerms | undefined {
  const coupon = known.coupons.get(couponId);
  return coupon?.status === 'publish' ? coupon : undefined;
}
