import { type Credit, creditOf, leadingClick, windowOf } from '../attribution/attribute.ts';
import type { AttributingClick } from '../clicks/store.ts';
import { ratesOf } from '../commission/commission.ts';
import { type OrderFacts, withCommission } from '../commission/commission-status.ts';
import { type CouponTerms, foldCode } from '../coupons/terms.ts';
import { dayOf } from '../dates.ts';
import type { Decision } from './decision.ts';
import type { IncomingOrder } from './incoming.ts';
import type { Rates } from './order.ts';
import type { Known } from './order-context.ts';
import type { Surroundings } from './surroundings.ts';

const dayMilliseconds = 86_400_000;

/** Settles for good who is credited with an order, and at which rates. */
export function firstRecording(incoming: IncomingOrder, known: Known, surroundings: Surroundings): Decision {
  const used = couponNamed(incoming, known);
  if (typeof used === 'string') return { outcome: 'refused', reason: used };
  const visitorHash = incoming.visitor === undefined ? null : known.hashOf(incoming.visitor);
  const click = visitorHash === null ? undefined : clickBefore(incoming, visitorHash, known, surroundings);
  const link = visitorHash === null ? undefined : known.lifetimeLinks.get(visitorHash);
  const clicked = click && published(click.couponId, known);
  const credit = creditOf({
    lifetime: link && published(link.couponId, known),
    click: clicked && { coupon: clicked, campaign: click.campaign },
    used,
  });
  if (!credit) return { outcome: 'unattributed' };
  const facts = factsOf(incoming, { credit, used, visitorHash }, surroundings);
  return { outcome: 'recorded', step: { before: null, after: withCommission(facts, null, surroundings.now) }, click };
}

interface Attribution {
  credit: Credit;
  used: CouponTerms | undefined;
  visitorHash: string | null;
}

const factsOf = (incoming: IncomingOrder, { credit, used, visitorHash }: Attribution, { program }: Surroundings): OrderFacts => ({
  orderId: incoming.orderId,
  couponId: credit.coupon.id,
  usedCouponId: used?.id ?? null,
  day: dayOf(incoming.placedAt, program.zone),
  placedAt: incoming.placedAt,
  status: incoming.status,
  total: incoming.total,
  discount: incoming.discount,
  shipping: incoming.shipping,
  tax: incoming.tax,
  quantity: incoming.quantity,
  refunded: incoming.refunded,
  rates: ratesAt(incoming, ratesOf(credit.coupon, program.rates)),
  // Days of 24 hours: a change of the clock neither shortens nor lengthens the time to send something back.
  dueAt: incoming.placedAt + program.clearingDays * dayMilliseconds,
  creditedVia: credit.creditedVia,
  campaign: incoming.campaign ?? credit.campaign,
  visitorHash,
});

const ratesAt = ({ rates = {} }: IncomingOrder, now: Rates): Rates => ({
  percentThousandths: rates.percentThousandths ?? now.percentThousandths,
  fixedPerOrder: rates.fixedPerOrder ?? now.fixedPerOrder,
  fixedPerProduct: rates.fixedPerProduct ?? now.fixedPerProduct,
});

/** The coupon that the store names, undefined when it names none, or why there is no telling. */
function couponNamed({ couponId, couponCode }: IncomingOrder, known: Known): CouponTerms | undefined | string {
  if (couponId !== undefined) return known.coupons.get(couponId) ?? `There is no coupon ${couponId}.`;
  if (couponCode === undefined) return undefined;
  const [coupon, another] = known.publishedByCode.get(foldCode(couponCode)) ?? [];
  if (another) return `More than one published coupon answers to the code ${couponCode}. Name one by its id.`;
  return coupon ?? `There is no published coupon with the code ${couponCode}.`;
}

function clickBefore(
  { placedAt }: IncomingOrder,
  visitorHash: string,
  known: Known,
  { program }: Surroundings,
): AttributingClick | undefined {
  const clicks = known.clicks.get(visitorHash)?.filter(({ couponId }) => published(couponId, known)) ?? [];
  return leadingClick(clicks, windowOf(visitorHash, placedAt, program));
}

function published(couponId: number, known: Known): CouponTerms | undefined {
  const coupon = known.coupons.get(couponId);
  return coupon?.status === 'publish' ? coupon : undefined;
}
