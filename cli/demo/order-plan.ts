import type { IncomingClick } from '../../domain/clicks/incoming.ts';
import type { IncomingOrder } from '../../domain/order-recording/incoming.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import { type Calendar, distribute } from './calendar.ts';
import { firstIds } from './contract-story.ts';
import { campaigns, createWeightedPicker, landingPages, prices, type SeededRandom } from './names.ts';
import type { DayReport } from './plan.ts';

/** A published coupon, as orders use it. */
export interface SellingCoupon {
  /** Its index among all coupons. Ids are assigned when coupons are created. */
  index: number;
  /** Relative sales. */
  weight: number;
  /** The first day of the year on which it can be used. */
  since: number;
  discount: { percent: number } | { cents: number };
  site: string;
}

/** The part of orders that result from a link. */
const linkShare = 0.2;

/**
 * Until two months ago the shop reported the orders of a week in one file, once none of them could be refunded any more; since then it
 * reports every night. Nightly reports for the whole year would make the creation take half as long again.
 */
const isNightly = (day: number): boolean => day >= 305;
const dayOfFile = (day: number): number => day - (day % 7) + 6 + longestHistory;

export function planYear(
  coupons: readonly SellingCoupon[],
  { orders, clicks }: { orders: number; clicks: number },
  calendar: Calendar,
  random: SeededRandom,
): DayReport[] {
  const reports: DayReport[] = calendar.days.map(() => ({ clicks: [], orders: [] }));
  const pickCoupon = createCouponPicker(coupons);
  const report = (day: number, order: IncomingOrder): void => void reports[day]?.orders.push(order);
  let orderId = firstIds.order;
  let visitor = 0;
  for (const [day, count] of distribute(orders, calendar.weights).entries()) {
    const moments = Array.from({ length: count }, () => calendar.momentOn(day, random)).toSorted((one, other) => one - other);
    for (const [position, placedAt] of moments.entries()) {
      const coupon = pickCoupon(day, random);
      orderId += random.between(1, 9);
      visitor += 1;
      const order = planOrder({ orderId, placedAt, coupon, visitor }, random);
      if (order.visitor !== undefined) planReferringClick(order, coupon, day, calendar, random, reports);
      const unpaid = day === reports.length - 1 ? lastUnpaid[position] : undefined;
      const history = unpaid ? [after(0, { status: unpaid })] : planHistory(order, random);
      if (isNightly(day)) for (const { daysLater, change } of history) report(day + daysLater, { ...order, ...change });
      else report(dayOfFile(day), { ...order, ...history.at(-1)?.change });
    }
  }
  const others = Math.max(0, clicks - Math.round(orders * linkShare));
  for (const [day, count] of distribute(others, calendar.weights).entries())
    for (let made = 0; made < count; made += 1) {
      const visitorId = `demo-stroller-${random.between(1, others)}`;
      reports[day]?.clicks.push(planClick(pickCoupon(day, random), calendar.momentOn(day, random), visitorId, random));
    }
  return reports;
}

/** The first orders of the last day, so that there are some of each in every store. */
const lastUnpaid: readonly OrderStatus[] = ['pending', 'on-hold'];

/** Picks by weight among the coupons that can be used on the day. */
function createCouponPicker(coupons: readonly SellingCoupon[]): (day: number, random: SeededRandom) => SellingCoupon {
  const pickIndex = createWeightedPicker(coupons.map(({ weight }) => weight));
  return (day, random) => {
    for (;;) {
      const coupon = coupons[pickIndex(random)] as SellingCoupon;
      if (coupon.since < day) return coupon;
    }
  };
}

interface PlannedOrder {
  orderId: number;
  placedAt: number;
  coupon: SellingCoupon;
  visitor: number;
}

function planOrder({ orderId, placedAt, coupon, visitor }: PlannedOrder, random: SeededRandom): IncomingOrder {
  const quantity = random.pick([1, 1, 1, 2, 2, 3]);
  const total = Array.from({ length: quantity }, () => random.pick(prices)).reduce((sum, price) => sum + price, 0);
  const byLink = random.happens(linkShare);
  // Half of the orders by a link use the code as well.
  const usesCode = !byLink || random.happens(0.5);
  const discount = usesCode ? computeDiscount(coupon, total) : 0;
  const net = total - discount;
  return {
    orderId,
    placedAt,
    status: 'processing',
    total,
    discount,
    shipping: net < 5000 ? 490 : 0,
    tax: Math.round(net * 0.19),
    quantity,
    refunded: 0,
    ...(usesCode && { couponId: coupon.index }),
    ...(byLink && { visitor: `demo-visitor-${visitor}` }),
  };
}

const computeDiscount = ({ discount }: SellingCoupon, total: number): number =>
  'percent' in discount ? Math.round((total * discount.percent) / 100) : Math.min(discount.cents, total);

/** The click that led to an order: minutes or days before it. */
function planReferringClick(
  order: IncomingOrder,
  coupon: SellingCoupon,
  day: number,
  calendar: Calendar,
  random: SeededRandom,
  reports: DayReport[],
): void {
  const daysBefore = Math.min(random.pick([0, 0, 0, 0, 1, 2, 5, 12]), day, Math.max(0, day - coupon.since - 1));
  const on = day - daysBefore;
  const clickedAt = daysBefore === 0 ? order.placedAt - random.between(60, 5400) * 1000 : calendar.momentOn(on, random);
  reports[on]?.clicks.push(planClick(coupon, clickedAt, order.visitor ?? '', random));
}

const planClick = ({ index, site }: SellingCoupon, clickedAt: number, visitor: string, random: SeededRandom): IncomingClick => ({
  couponId: index,
  clickedAt,
  visitor,
  ...(random.happens(0.6) && { campaign: random.pick(campaigns) }),
  ...(random.happens(0.7) && { referrer: `https://${site}.example/` }),
  landingPage: random.pick(landingPages),
});

/** A report of an order, so many days after it was placed. */
interface OrderReport {
  daysLater: number;
  change: Partial<IncomingOrder>;
}

/** In days: orders do not change after it. */
const longestHistory = 35;

type History = (order: IncomingOrder, random: SeededRandom) => OrderReport[];

const after = (daysLater: number, change: Partial<IncomingOrder>): OrderReport => ({ daysLater, change });
const netOf = ({ total, discount }: IncomingOrder): number => total - discount;

const completed: History = (_order, random) => [after(0, {}), after(random.between(1, 4), { status: 'completed' })];
const failed: History = () => [after(0, { status: 'pending' }), after(1, { status: 'failed' })];
const cancelled: History = (_order, random) => [after(0, {}), after(random.between(1, 3), { status: 'cancelled' })];

/** For example by bank transfer. */
const paidLater: History = (_order, random) => {
  const paid = random.between(2, 5);
  const status = random.pick(['pending', 'on-hold'] as const);
  return [after(0, { status }), after(paid, {}), after(paid + random.between(1, 3), { status: 'completed' })];
};

/** Before or after the clearing days; after them, granted commission is reversed. */
const refunded: History = (order, random) => [
  ...completed(order, random),
  after(random.between(6, longestHistory), { status: 'refunded', refunded: netOf(order) }),
];

const partlyRefunded: History = (order, random) => [
  ...completed(order, random),
  after(random.between(6, 30), { status: 'completed', refunded: Math.round((netOf(order) * random.pick([20, 25, 50])) / 100) }),
];

const histories: readonly (readonly [percent: number, history: History])[] = [
  [82, completed],
  [5, paidLater],
  [4, partlyRefunded],
  [4, cancelled],
  [3, refunded],
  [2, failed],
];

/** In cents. Two large returns among a few orders would look like a risk. */
const largestReturned = 12_000;
const isReturned = ({ change }: OrderReport): boolean => change.status === 'cancelled' || (change.refunded ?? 0) > 0;

function planHistory(order: IncomingOrder, random: SeededRandom): OrderReport[] {
  let at = random.between(1, 100);
  for (const [percent, history] of histories) {
    at -= percent;
    if (at > 0) continue;
    const planned = history(order, random);
    return netOf(order) > largestReturned && planned.some(isReturned) ? completed(order, random) : planned;
  }
  return completed(order, random);
}
