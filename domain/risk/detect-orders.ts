import { addDays } from '../dates.ts';
import { groupBy } from '../group-by.ts';
import { inWords } from '../money.ts';
import type { CouponDays, FactRepository, Losses, MarkedOrder, OrderFact, ScannedCoupon } from './facts.ts';
import { beforeDays, dayMs, formatCount, formatShare, isAtLeast, type RiskRules, recentDays, refundDays } from './rules.ts';
import type { Finding, Occurrence } from './signal.ts';

export interface Detection {
  facts: FactRepository;
  rules: RiskRules;
  now: number;
  today: string;
}

export interface Detected {
  findings: Finding[];
  /** Users who are near enough to a signal that a change of others could open it. */
  pending: number[];
}

/** Bounds what is read about one user. */
export const maxOccurrences = 1000;

const occurrenceOf = ({ orderId, placedAt }: OrderFact, text: string): Occurrence => ({
  key: `order ${orderId}`,
  text,
  orderId,
  payoutId: null,
  at: placedAt,
});

/** Windows end with the newest order, so that time alone changes none. Those that ended before a window's length are over. */
const isRecent = <Dated extends { lastDay: string | null }>(
  dated: Dated,
  today: string,
  days: number,
): dated is Dated & { lastDay: string } => dated.lastDay !== null && dated.lastDay > addDays(today, -days);

interface UserWindow {
  userId: number;
  from: string;
  to: string;
  windows: CouponDays[];
}

/** The last days of each user over all their coupons. */
function listUserWindows(coupons: readonly ScannedCoupon[], today: string, days: number): UserWindow[] {
  return [...groupBy(coupons, ({ userId }) => userId)].flatMap(([userId, own]) => {
    const sold = own.filter((coupon) => isRecent(coupon, today, days));
    const to = sold
      .map(({ lastDay }) => lastDay)
      .toSorted()
      .at(-1);
    if (to === undefined) return [];
    const from = addDays(to, 1 - days);
    return [{ userId, from, to, windows: sold.map(({ couponId }) => ({ couponId, from, to })) }];
  });
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** Splits a flat list into parts as long as those of the users. */
function splitByUser<Item>(users: readonly UserWindow[], items: readonly Item[]): Item[][] {
  let place = 0;
  return users.map(({ windows }) => items.slice(place, (place += windows.length)));
}

const totalOf = (losses: readonly Losses[]): Losses => ({
  orders: sumOf(losses.map(({ orders }) => orders)),
  net: sumOf(losses.map(({ net }) => net)),
  lost: sumOf(losses.map(({ lost }) => lost)),
});

/** `programLosses` returns those of all coupons in a range of days. */
export async function detectRefundRates(
  coupons: readonly ScannedCoupon[],
  { facts, rules, today }: Detection,
  programLosses: (from: string, to: string) => Promise<Losses>,
): Promise<Detected> {
  const { orders, percent, times } = rules.refundRate;
  const users = listUserWindows(coupons, today, refundDays);
  const counts = splitByUser(users, await facts.orderCounts(users.flatMap(({ windows }) => windows)));
  const busy = users.filter((_, at) => sumOf(counts[at] ?? []) >= orders);
  const losses = splitByUser(busy, await facts.losses(busy.flatMap(({ windows }) => windows)));
  const findings: Finding[] = [];
  const pending: number[] = [];
  for (const [at, { userId, from, to, windows }] of busy.entries()) {
    const own = totalOf(losses[at] ?? []);
    if (own.orders < orders || !isAtLeast(own.lost, own.net, percent)) continue;
    const all = await programLosses(from, to);
    const others = { net: all.net - own.net, lost: all.lost - own.lost };
    if (others.net > 0 && own.lost / own.net < (times * others.lost) / others.net) pending.push(userId);
    else findings.push(refundRateFinding(userId, own, others, await facts.lostOrders(windows, maxOccurrences), rules));
  }
  return { findings, pending };
}

function refundRateFinding(
  userId: number,
  own: Losses,
  others: Pick<Losses, 'net' | 'lost'>,
  lost: readonly OrderFact[],
  { currency }: RiskRules,
): Finding {
  const share = `${formatShare(own.lost, own.net)} of the sales of ${refundDays} days (${inWords(own.lost, currency)} of ${inWords(own.net, currency)})`;
  return {
    kind: 'refund_rate',
    userId,
    couponId: lost[0]?.couponId ?? null,
    text: (count) =>
      `${share} were refunded or cancelled, and ${formatShare(others.lost, others.net)} of those of all other affiliates: ${formatCount(count, 'order')}.`,
    occurrences: lost.map((order) => occurrenceOf(order, `Order ${order.orderId} was refunded or cancelled, in full or in part.`)),
  };
}

export async function detectLeakedCodes(coupons: readonly ScannedCoupon[], { facts, rules, today }: Detection): Promise<Detected> {
  const { orders, percent, ordersBefore, times } = rules.codeWithoutClick;
  const recent = coupons
    .filter((coupon) => isRecent(coupon, today, recentDays))
    .map(({ lastDay, ...coupon }) => ({ ...coupon, from: addDays(lastDay, 1 - recentDays), to: lastDay }));
  const before = recent.map(({ couponId, from }) => ({ couponId, from: addDays(from, -beforeDays), to: addDays(from, -1) }));
  const counts = await facts.orderCounts([...recent, ...before]);
  const findings: Finding[] = [];
  const pending: number[] = [];
  for (const [at, coupon] of recent.entries()) {
    const [now = 0, earlier = 0] = [counts[at], counts[recent.length + at]];
    if (now < orders || earlier < ordersBefore || now / recentDays < (times * earlier) / beforeDays) continue;
    const typed = await facts.typedOrders(coupon, maxOccurrences);
    if (!isAtLeast(typed.total, now, percent)) continue;
    if (await facts.anyClicks(coupon.from, coupon.to)) findings.push(leakedCodeFinding(coupon, typed, { now, earlier }));
    else pending.push(coupon.userId);
  }
  return { findings, pending };
}

function leakedCodeFinding(
  { userId, couponId, code }: Pick<ScannedCoupon, 'userId' | 'couponId' | 'code'>,
  { orders, total }: { orders: readonly OrderFact[]; total: number },
  { now, earlier }: { now: number; earlier: number },
): Finding {
  const growth = `${(now / recentDays).toFixed(1)} orders a day within ${recentDays} days, after ${(earlier / beforeDays).toFixed(1)} a day before`;
  return {
    kind: 'code_without_click',
    userId,
    couponId,
    text: (count) =>
      `${code} had ${growth}, ${formatShare(total, now)} of them by typed code without a click: ${formatCount(count, 'order')}.`,
    occurrences: orders.map((order) => occurrenceOf(order, `Order ${order.orderId} used ${code} without a click.`)),
  };
}

export async function detectFastConversions(coupons: readonly ScannedCoupon[], { facts, rules, today }: Detection): Promise<Finding[]> {
  const { orders, seconds } = rules.fastConversion;
  const users = listUserWindows(coupons, today, recentDays);
  const fast = await facts.fastOrders(
    users.flatMap(({ windows }) => windows),
    seconds * 1000,
  );
  return [...groupBy(fast, ({ userId }) => userId)]
    .filter(([, own]) => own.length >= orders)
    .map(([userId, own]) => ({
      kind: 'fast_conversion',
      userId,
      couponId: own.toSorted((one, other) => other.placedAt - one.placedAt)[0]?.couponId ?? null,
      text: (count) => `Orders were placed within ${formatCount(seconds, 'second')} of their click: ${formatCount(count, 'order')}.`,
      occurrences: own.map((order) =>
        occurrenceOf(order, `Order ${order.orderId} was placed ${(order.delayMs / 1000).toFixed(1)} seconds after its click.`),
      ),
    }));
}

const recentMs = recentDays * dayMs;
const oldestDays = 2 * recentDays + 1;

/**
 * Of a visitor's orders, those of the days before the newest one, which is recent. One finding for each owner of their coupons. An order that
 * arrives late may be as old as the oldest of them.
 */
export async function detectSharedVisitors(coupons: readonly ScannedCoupon[], { facts, rules, now, today }: Detection): Promise<Finding[]> {
  const least = rules.visitorManyCoupons.coupons;
  const windows = coupons
    .filter((coupon) => isRecent(coupon, today, oldestDays))
    .map(({ couponId, lastDay }) => ({ couponId, from: addDays(lastDay, -oldestDays), to: lastDay }));
  if (windows.length === 0) return [];
  const since = Date.parse(windows.map(({ from }) => from).toSorted()[0] ?? today) - recentMs - dayMs;
  const found = (await facts.visitorOrders(windows, since, least)).filter(({ placedAt }) => placedAt <= now);
  const groups = [...groupBy(found, ({ visitorHash }) => visitorHash).values()].flatMap((orders) => {
    const newest = Math.max(...orders.map(({ placedAt }) => placedAt));
    const own = orders.filter(({ placedAt }) => placedAt > newest - recentMs);
    const number = new Set(own.map(({ couponId }) => couponId)).size;
    return number < least || newest < now - recentMs ? [] : own;
  });
  return [...groupBy(groups, ({ userId }) => userId)].map(([userId, own]) => ({
    kind: 'visitor_many_coupons',
    userId,
    couponId: own.toSorted((one, other) => other.placedAt - one.placedAt)[0]?.couponId ?? null,
    text: (count) =>
      `Visitors had orders credited to ${formatCount(least, 'coupon')} or more within ${recentDays} days: ${formatCount(count, 'order')} of this affiliate.`,
    occurrences: own.map((order) =>
      occurrenceOf(order, `Order ${order.orderId} is one of a visitor whose orders are credited to several coupons.`),
    ),
  }));
}

const markTexts: Record<MarkedOrder['kind'], (count: number) => string> = {
  self_referral: (count) => `The customer's email is the affiliate's: ${formatCount(count, 'order')}.`,
  high_commission: (count) => `Commission was a large part of what was paid for the goods: ${formatCount(count, 'order')}.`,
};

/** Marks that were left when orders were recorded. */
export async function detectMarkedOrders(userIds: readonly number[], { facts, rules }: Detection): Promise<Finding[]> {
  const marked = await facts.markedOrders(userIds, maxOccurrences);
  const describe = ({ kind, orderId, net, commission }: MarkedOrder): string =>
    kind === 'self_referral'
      ? `Order ${orderId} was placed with the affiliate's own email.`
      : `Order ${orderId} earned ${inWords(commission, rules.currency)}, ${formatShare(commission, net)} of its goods.`;
  return [...groupBy(marked, ({ userId, kind }) => `${userId} ${kind}`).values()].flatMap((own) => {
    const [newest] = own;
    if (!newest || !rules.enabled.has(newest.kind)) return [];
    const { kind, userId, couponId } = newest;
    return [{ kind, userId, couponId, text: markTexts[kind], occurrences: own.map((order) => occurrenceOf(order, describe(order))) }];
  });
}
