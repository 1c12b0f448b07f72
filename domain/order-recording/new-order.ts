import { attributionWindow, findLeadingClick } from '../clicks/attribution.ts';
import { cleanCampaign } from '../clicks/incoming.ts';
import type { AttributingClick } from '../clicks/repository.ts';
import { ratesOf } from '../commission/commission.ts';
import { type CommissionState, dueAfter, type OrderFacts, withCommission } from '../commission/commission-status.ts';
import { type CouponTerms, foldCode } from '../coupons/terms.ts';
import { dayOf } from '../dates.ts';
import { type CreditLink, customerLink, type SubscriptionPayment, subscriptionLink } from '../orders/credit-link.ts';
import { holdsFor, isNeverPlaced } from '../orders/order.ts';
import type { ChangeContext, OrderChange } from '../orders/order-change.ts';
import type { Program, Rates } from '../program.ts';
import { type Credit, chooseCredit } from './choose-credit.ts';
import type { IncomingOrder } from './incoming.ts';
import type { AttributionFacts, OrderContext } from './order-context.ts';
import { countPayment, ratesOfPayment } from './renewal.ts';

export type OrderDecision =
  | { outcome: 'unchanged' | 'unattributed' }
  | { outcome: 'refused'; reason: string }
  | ({ outcome: 'recorded' | 'changed'; change: OrderChange } & CreditEffects);

/** What else is written with a new order. */
export interface CreditEffects {
  clickId?: number | null;
  /** Which payment of a subscription it is, and what credits the next one. */
  payment?: SubscriptionPayment | null;
  link?: CreditLink | null;
}

/** Fixes the credited coupon and the rates of an order. */
export function decideNewOrder(incoming: IncomingOrder, loaded: OrderContext, context: ChangeContext): OrderDecision {
  const attribution = attribute(incoming, loaded, context.program);
  if (attribution === null) return { outcome: 'unattributed' };
  if ('problem' in attribution) return { outcome: 'refused', reason: attribution.problem };
  const { subscription, placedAt } = incoming;
  const link = subscription === undefined ? undefined : loaded.creditLinks.get(subscriptionLink(subscription));
  const payment = subscription === undefined ? null : countPayment(incoming, subscription, link, context.program);
  // One that is not placed has the rates of the payment that it would be, for when it is placed after all.
  const facts = buildFacts(incoming, attribution, payment, context);
  const change: OrderChange = { before: null, after: withCommission(facts, stateElsewhere(incoming), context.now) };
  const clickId = (link?.payments ?? 0) === 0 ? attribution.clickId : null;
  if (payment === null) return { outcome: 'recorded', change, clickId };
  const next = link ?? { ...toCreditLink(attribution, subscriptionLink(payment.subscription), placedAt), clickId: null };
  // No payment yet, but the coupon may be named by this order alone.
  if (isNeverPlaced(incoming)) return { outcome: 'recorded', change, clickId, link: next };
  const counted = { ...next, payments: payment.number, firstPaidAt: next.firstPaidAt ?? placedAt };
  return { outcome: 'recorded', change, clickId, payment, link: counted };
}

/** Who is credited, and why. */
interface Attribution {
  credit: Credit;
  usedCouponId: number | null;
  visitorHash: string | null;
  clickId: number | null;
}

/**
 * Null if nobody is credited. The link of the subscription counts before the order's own referral, and that before the checkout of the customer. An unknown code is a mistake of
 * the store, unless something else credits the order: then the code was another promotion.
 */
export function attribute(incoming: AttributionFacts, loaded: OrderContext, program: Program): Attribution | { problem: string } | null {
  const named = findNamedCoupon(incoming, loaded);
  if (named.problem !== undefined && !named.isUnknownCode) return { problem: named.problem };
  const { subscription, customerHash } = incoming;
  const linked =
    (subscription !== undefined && followLink(loaded.creditLinks.get(subscriptionLink(subscription)), loaded)) ||
    attributeByReferral(incoming, named.used, loaded, program) ||
    (customerHash !== undefined && followLink(findCustomerLink(customerHash, incoming, loaded, program), loaded));
  if (linked) return { ...linked, usedCouponId: named.used?.id ?? linked.usedCouponId };
  return named.problem === undefined ? null : { problem: named.problem };
}

function attributeByReferral(
  incoming: AttributionFacts,
  used: CouponTerms | undefined,
  loaded: OrderContext,
  program: Program,
): Attribution | null {
  const visitorHash = incoming.visitor === undefined ? null : loaded.hashOf(incoming.visitor);
  const click = visitorHash === null ? undefined : findClick(incoming, visitorHash, loaded, program);
  const link = visitorHash === null ? undefined : loaded.lifetimeLinks.get(visitorHash);
  const clicked = click && findPublished(click.couponId, loaded);
  const credit = chooseCredit({
    lifetime: link && holdsFor(link, incoming) ? findPublished(link.couponId, loaded) : undefined,
    click: clicked && { coupon: clicked, campaign: click.campaign },
    used,
  });
  return credit && { credit, usedCouponId: used?.id ?? null, visitorHash, clickId: click?.clickId ?? null };
}

function followLink(link: CreditLink | undefined, { coupons }: OrderContext): Attribution | null {
  const coupon = link && coupons.get(link.couponId);
  if (!coupon) return null;
  const { creditedVia, campaign, usedCouponId, visitorHash, clickId } = link;
  return { credit: { coupon, creditedVia, campaign }, usedCouponId, visitorHash, clickId };
}

const dayMilliseconds = 86_400_000;

/**
 * A referred checkout credits other payments of its customer as a click does: within the window, or for ever with lifetime links. Neither
 * earlier payments, of which events may arrive later, nor subscriptions that began before it.
 */
function findCustomerLink(
  customerHash: string,
  { placedAt, subscription = '' }: AttributionFacts,
  { creditLinks, subscriptionStarts }: OrderContext,
  { attribution }: Program,
): CreditLink | undefined {
  const link = creditLinks.get(customerLink(customerHash));
  if (!link) return undefined;
  const begunAt = Math.min(placedAt, subscriptionStarts.get(subscription) ?? placedAt);
  if (begunAt < link.linkedAt - dayMilliseconds) return undefined;
  return attribution.lifetime || placedAt <= link.linkedAt + attribution.windowDays * dayMilliseconds ? link : undefined;
}

export const toCreditLink = ({ credit, usedCouponId, visitorHash, clickId }: Attribution, link: string, linkedAt: number): CreditLink => ({
  link,
  couponId: credit.coupon.id,
  usedCouponId,
  creditedVia: credit.creditedVia,
  campaign: credit.campaign,
  visitorHash,
  clickId,
  linkedAt,
  firstPaidAt: null,
  payments: 0,
});

const buildFacts = (
  incoming: IncomingOrder,
  { credit, usedCouponId, visitorHash }: Attribution,
  payment: SubscriptionPayment | null,
  { program }: ChangeContext,
): OrderFacts => ({
  orderId: incoming.orderId,
  couponId: credit.coupon.id,
  usedCouponId,
  day: dayOf(incoming.placedAt, program.zone),
  placedAt: incoming.placedAt,
  status: incoming.status,
  total: incoming.total,
  discount: incoming.discount,
  shipping: incoming.shipping,
  tax: incoming.tax,
  quantity: incoming.quantity,
  refunded: incoming.refunded,
  rates: ratesAt(incoming, ratesOfPayment(ratesOf(credit.coupon, program.rates), payment)),
  dueAt: incoming.dueAt ?? dueAfter(incoming.placedAt, program),
  creditedVia: credit.creditedVia,
  campaign: cleanCampaign(incoming.campaign) ?? credit.campaign,
  visitorHash,
  handovers: credit.coupon.handovers,
});

/** Null for an order that was completed in no other system. */
function stateElsewhere({ dueAt, grantedAt }: IncomingOrder): CommissionState | null {
  if (grantedAt !== undefined) return { commissionStatus: 'granted', grantedAt, hasCompleted: true };
  return dueAt === undefined ? null : { commissionStatus: 'pending', grantedAt: null, hasCompleted: true };
}

const ratesAt = ({ rates = {} }: IncomingOrder, now: Rates): Rates => ({
  percentThousandths: rates.percentThousandths ?? now.percentThousandths,
  fixedPerOrder: rates.fixedPerOrder ?? now.fixedPerOrder,
  fixedPerProduct: rates.fixedPerProduct ?? now.fixedPerProduct,
});

interface NamedCoupon {
  /** Undefined if the store named none that exists. */
  used?: CouponTerms;
  problem?: string;
  isUnknownCode?: true;
}

function findNamedCoupon({ couponId, couponCode }: AttributionFacts, loaded: OrderContext): NamedCoupon {
  if (couponId !== undefined) {
    const used = loaded.coupons.get(couponId);
    return used ? { used } : { problem: `There is no coupon ${couponId}.` };
  }
  if (couponCode === undefined) return {};
  const [used, another] = loaded.publishedByCode.get(foldCode(couponCode)) ?? [];
  if (another) return { problem: `More than one published coupon answers to the code ${couponCode}. Name one by its id.` };
  return used ? { used } : { problem: `There is no published coupon with the code ${couponCode}.`, isUnknownCode: true };
}

function findClick(
  { placedAt }: AttributionFacts,
  visitorHash: string,
  loaded: OrderContext,
  program: Program,
): AttributingClick | undefined {
  const clicks = loaded.clicks.get(visitorHash)?.filter(({ couponId }) => findPublished(couponId, loaded)) ?? [];
  return findLeadingClick(clicks, attributionWindow(visitorHash, placedAt, program));
}

function findPublished(couponId: number, loaded: OrderContext): CouponTerms | undefined {
  const coupon = loaded.coupons.get(couponId);
  return coupon?.status === 'publish' ? coupon : undefined;
}
