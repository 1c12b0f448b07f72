import { windowOf } from '../attribution/attribute.ts';
import type { AttributingClick } from '../clicks/store.ts';
import { type CouponTerms, foldCode } from '../coupons/terms.ts';
import { grouped } from '../grouped.ts';
import type { Transaction } from '../ports.ts';
import type { Program } from '../program.ts';
import type { IncomingOrder } from './incoming.ts';
import type { Order } from './order.ts';
import type { LifetimeLink } from './store.ts';

/** Everything that a batch of orders is decided by, read at once. Decisions are taken in memory and write down here what the next must know. */
export interface Known {
  orders: Map<number, Order>;
  coupons: Map<number, CouponTerms>;
  publishedByCode: Map<string, CouponTerms[]>;
  clicks: Map<string, AttributingClick[]>;
  lifetimeLinks: Map<string, LifetimeLink>;
  hashOf(visitor: string): string;
}

interface Asking {
  program: Program;
  hashVisitor(visitor: string): string;
}

export async function loadKnown(transaction: Transaction, incoming: readonly IncomingOrder[], asking: Asking): Promise<Known> {
  const hashOf = remembering(asking.hashVisitor);
  const orders = await transaction.orders.byIds(incoming.map(({ orderId }) => orderId));
  const knownIds = new Set(orders.map(({ orderId }) => orderId));
  const newcomers = incoming.filter(({ orderId }) => !knownIds.has(orderId));
  const clicks = await clicksBefore(transaction, newcomers, asking.program, hashOf);
  const links = asking.program.attribution.lifetime ? await linksOf(transaction, newcomers, hashOf) : [];
  const published = await transaction.couponTerms.publishedByCodes(codesOf(newcomers));
  const couponIds = new Set<number>(links.map(({ couponId }) => couponId));
  for (const { couponId } of newcomers) if (couponId !== undefined) couponIds.add(couponId);
  for (const { couponId } of clicks) couponIds.add(couponId);
  for (const { couponId, usedCouponId } of orders) couponIds.add(couponId).add(usedCouponId ?? couponId);
  const coupons = [...published, ...(await transaction.couponTerms.byIds([...couponIds]))];
  return {
    orders: new Map(orders.map((order) => [order.orderId, order])),
    coupons: new Map(coupons.map((coupon) => [coupon.id, coupon])),
    publishedByCode: grouped(published, ({ codeFolded }) => codeFolded),
    clicks: grouped(clicks, ({ visitorHash }) => visitorHash),
    lifetimeLinks: new Map(links.map((link) => [link.visitorHash, link])),
    hashOf,
  };
}

const codesOf = (incoming: readonly IncomingOrder[]): string[] => {
  const codes = incoming.map(({ couponId, couponCode }) =>
    couponId === undefined && couponCode !== undefined ? foldCode(couponCode) : '',
  );
  return [...new Set(codes)].filter((code) => code !== '');
};

async function clicksBefore(
  { clicks }: Transaction,
  orders: readonly IncomingOrder[],
  program: Program,
  hashOf: (visitor: string) => string,
) {
  const candidates = orders.flatMap(({ visitor, placedAt }) =>
    visitor === undefined ? [] : [windowOf(hashOf(visitor), placedAt, program)],
  );
  return candidates.length === 0 ? [] : clicks.attributing(candidates);
}

async function linksOf({ orders }: Transaction, incoming: readonly IncomingOrder[], hashOf: (visitor: string) => string) {
  const visitors = incoming.flatMap(({ visitor }) => (visitor === undefined ? [] : [hashOf(visitor)]));
  return orders.lifetimeLinksOf([...new Set(visitors)]);
}

function remembering(hash: (visitor: string) => string): (visitor: string) => string {
  const hashes = new Map<string, string>();
  return (visitor) => {
    const hashed = hashes.get(visitor) ?? hash(visitor);
    hashes.set(visitor, hashed);
    return hashed;
  };
}
