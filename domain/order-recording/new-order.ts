import { attributionWindow, findLeadingClick } from '../clicks/attribution.ts';
import { cleanCampaign } from '../clicks/incoming.ts';
import type { AttributingClick } from '../clicks/repository.ts';
import { ratesOf } from '../commission/commission.ts';
import { dueAfter, type OrderFacts, withCommission } from '../commission/commission-status.ts';
import { type CouponTerms, foldCode } from '../coupons/terms.ts';
import { dayOf } from '../dates.ts';
import type { ChangeContext, OrderChange } from '../orders/order-change.ts';
import type { Rates } from '../program.ts';
import { type Credit, chooseCredit } from './choose-credit.ts';
import type { IncomingOrder } from './incoming.ts';
import type { OrderContext } from './order-context.ts';

export type OrderDecision =
  | { outcome: 'unchanged' | 'unattributed' }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'recorded' | 'changed'; change: OrderChange; click?: AttributingClick | undefined };

/** Fixes the credited coupon and the rates of an order. */
export function decideNewOrder(incoming: IncomingOrder, loaded: OrderContext, context: ChangeContext): OrderDecision {
  const { used, problem, isUnknownCode } = findNamedCoupon(incoming, loaded);
  if (problem !== undefined && !isUnknownCode) return { outcome: 'refused', reason: problem };
  const visitorHash = incoming.visitor === undefined ? null : loaded.hashOf(incoming.visitor);
  const click = visitorHash === null ? undefined : findClick(incoming, visitorHash, loaded, context);
  const link = visitorHash === null ? undefined : loaded.lifetimeLinks.get(visitorHash);
  const clicked = click && findPublished(click.couponId, loaded);
  const credit = chooseCredit({
    lifetime: link && findPublished(link.couponId, loaded),
    click: clicked && { coupon: clicked, campaign: click.campaign },
    used,
  });
  // An unknown code is a mistake of the store, unless a link credits the order: then the code was another promotion.
  if (!credit) return problem === undefined ? { outcome: 'unattributed' } : { outcome: 'refused', reason: problem };
  const facts = buildFacts(incoming, { credit, used, visitorHash }, context);
  return { outcome: 'recorded', change: { before: null, after: withCommission(facts, null, context.now) }, click };
}

interface Attribution {
  credit: Credit;
  used: CouponTerms | undefined;
  visitorHash: string | null;
}

const buildFacts = (incoming: IncomingOrder, { credit, used, visitorHash }: Attribution, { program }: ChangeContext): OrderFacts => ({
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
  dueAt: dueAfter(incoming.placedAt, program),
  creditedVia: credit.creditedVia,
  campaign: cleanCampaign(incoming.campaign) ?? credit.campaign,
  visitorHash,
  handovers: credit.coupon.handovers,
});

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

function findNamedCoupon({ couponId, couponCode }: IncomingOrder, loaded: OrderContext): NamedCoupon {
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
  { placedAt }: IncomingOrder,
  visitorHash: string,
  loaded: OrderContext,
  { program }: ChangeContext,
): AttributingClick | undefined {
  const clicks = loaded.clicks.get(visitorHash)?.filter(({ couponId }) => findPublished(couponId, loaded)) ?? [];
  return findLeadingClick(clicks, attributionWindow(visitorHash, placedAt, program));
}

function findPublished(couponId: number, loaded: OrderContext): CouponTerms | undefined {
  const coupon = loaded.coupons.get(couponId);
  return coupon?.status === 'publish' ? coupon : undefined;
}
