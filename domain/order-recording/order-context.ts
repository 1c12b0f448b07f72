import { attributionWindow } from '../clicks/attribution.ts';
import type { AttributingClick, ClickRepository } from '../clicks/repository.ts';
import { type CouponTerms, type CouponTermsRepository, foldCode } from '../coupons/terms.ts';
import { groupBy } from '../group-by.ts';
import { type CreditLink, type CreditLinkRepository, customerLink, subscriptionLink } from '../orders/credit-link.ts';
import type { LifetimeLink, Order, OrderRepository } from '../orders/order.ts';
import type { Program } from '../program.ts';
import type { IncomingOrder } from './incoming.ts';

/** The data that a batch of orders is decided with, loaded at once. Decisions update it, so that later orders of the batch see earlier ones. */
export interface OrderContext {
  orders: Map<number, Order>;
  coupons: Map<number, CouponTerms>;
  publishedByCode: Map<string, CouponTerms[]>;
  clicks: Map<string, AttributingClick[]>;
  lifetimeLinks: Map<string, LifetimeLink>;
  /** Of subscriptions and customers. */
  creditLinks: Map<string, CreditLink>;
  /** When the first known payment was placed, of subscriptions that a customer's link may credit. */
  subscriptionStarts: Map<string, number>;
  hashOf(visitor: string): string;
}

export interface OrderContextRepositories {
  orders: OrderRepository;
  couponTerms: CouponTermsRepository;
  clicks: ClickRepository;
  creditLinks: CreditLinkRepository;
}

/** What decides who is credited. */
export type AttributionFacts = Pick<
  IncomingOrder,
  'orderId' | 'placedAt' | 'couponId' | 'couponCode' | 'visitor' | 'subscription' | 'customerHash'
>;

interface LoadOptions {
  program: Program;
  hashVisitor(visitor: string): string;
}

/** What the caller has read in the same transaction: all stored ones of these orders, and some coupons. */
export interface LoadedBefore {
  orders: readonly Order[];
  coupons: readonly CouponTerms[];
}

export async function loadOrderContext(
  db: OrderContextRepositories,
  incoming: readonly AttributionFacts[],
  options: LoadOptions,
  before?: LoadedBefore,
): Promise<OrderContext> {
  const hashOf = memoize(options.hashVisitor);
  const orders = before?.orders ?? (await db.orders.byIds(incoming.map(({ orderId }) => orderId)));
  const existingIds = new Set(orders.map(({ orderId }) => orderId));
  const newOrders = incoming.filter(({ orderId }) => !existingIds.has(orderId));
  const clicks = await clicksBefore(db, newOrders, options.program, hashOf);
  const links = options.program.attribution.lifetime ? await linksOf(db, newOrders, hashOf) : [];
  const withCoupon = new Set(orders.flatMap(({ orderId, usedCouponId }) => (usedCouponId === null ? [] : [orderId])));
  const published = await db.couponTerms.publishedByCodes(codesOf(incoming.filter(({ orderId }) => !withCoupon.has(orderId))));
  const creditLinks = await db.creditLinks.byLinks([...new Set(newOrders.flatMap(linksOfPayment))]);
  const linkOf = new Map(creditLinks.map((link) => [link.link, link]));
  const couponIds = new Set<number>([...links, ...creditLinks].flatMap(couponsOfLink));
  for (const { couponId } of newOrders) if (couponId !== undefined) couponIds.add(couponId);
  for (const { couponId } of clicks) couponIds.add(couponId);
  for (const { couponId, usedCouponId } of orders) couponIds.add(couponId).add(usedCouponId ?? couponId);
  const loaded = before?.coupons ?? [];
  for (const { id } of loaded) couponIds.delete(id);
  const coupons = [...published, ...loaded, ...(await db.couponTerms.byIds([...couponIds]))];
  return {
    orders: new Map(orders.map((order) => [order.orderId, order])),
    coupons: new Map(coupons.map((coupon) => [coupon.id, coupon])),
    publishedByCode: groupBy(published, ({ codeFolded }) => codeFolded),
    clicks: groupBy(clicks, ({ visitorHash }) => visitorHash),
    lifetimeLinks: new Map(links.map((link) => [link.visitorHash, link])),
    creditLinks: linkOf,
    subscriptionStarts: await db.creditLinks.subscriptionStarts(newOrders.flatMap((order) => subscriptionToDate(order, linkOf))),
    hashOf,
  };
}

/** The links that may credit a payment. */
export const linksOfPayment = ({ subscription, customerHash }: Pick<AttributionFacts, 'subscription' | 'customerHash'>): string[] => [
  ...(subscription === undefined ? [] : [subscriptionLink(subscription)]),
  ...(customerHash === undefined ? [] : [customerLink(customerHash)]),
];

/** The subscription, if only the link of its customer may credit it. */
function subscriptionToDate({ subscription, customerHash }: AttributionFacts, links: ReadonlyMap<string, CreditLink>): string[] {
  if (subscription === undefined || customerHash === undefined) return [];
  return links.has(customerLink(customerHash)) && !links.has(subscriptionLink(subscription)) ? [subscription] : [];
}

const couponsOfLink = ({ couponId, usedCouponId = null }: { couponId: number; usedCouponId?: number | null }): number[] =>
  usedCouponId === null ? [couponId] : [couponId, usedCouponId];

const codesOf = (incoming: readonly AttributionFacts[]): string[] => {
  const codes = incoming.map(({ couponId, couponCode }) =>
    couponId === undefined && couponCode !== undefined ? foldCode(couponCode) : '',
  );
  return [...new Set(codes)].filter((code) => code !== '');
};

async function clicksBefore(
  { clicks }: OrderContextRepositories,
  orders: readonly AttributionFacts[],
  program: Program,
  hashOf: (visitor: string) => string,
) {
  const candidates = orders.flatMap(({ visitor, placedAt }) =>
    visitor === undefined ? [] : [attributionWindow(hashOf(visitor), placedAt, program)],
  );
  return candidates.length === 0 ? [] : clicks.attributing(candidates);
}

async function linksOf({ orders }: OrderContextRepositories, incoming: readonly AttributionFacts[], hashOf: (visitor: string) => string) {
  const visitors = incoming.flatMap(({ visitor }) => (visitor === undefined ? [] : [hashOf(visitor)]));
  return orders.lifetimeLinksOf([...new Set(visitors)]);
}

function memoize(hash: (visitor: string) => string): (visitor: string) => string {
  const hashes = new Map<string, string>();
  return (visitor) => {
    const hashed = hashes.get(visitor) ?? hash(visitor);
    hashes.set(visitor, hashed);
    return hashed;
  };
}
