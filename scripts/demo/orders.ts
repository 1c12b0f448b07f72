import type { IncomingClick } from '../../domain/clicks/incoming.ts';
import type { IncomingOrder } from '../../domain/orders/incoming.ts';
import type { Calendar } from './calendar.ts';
import { type Chapter, lifeOf } from './life.ts';
import { campaigns, landingPages, prices } from './names.ts';
import { type Chance, weighted } from './random.ts';

/** A coupon that sells. */
export interface SellingCoupon {
  /** Stands for its id, which it gets when it is made. */
  place: number;
  weight: number;
  /** The first day of the year on which it can be used. */
  since: number;
  discount: { percent: number } | { cents: number };
  site: string;
}

/** What the shop tells at the end of a day: clicks, new orders and what has become of earlier ones. */
export interface DayReport {
  clicks: IncomingClick[];
  orders: IncomingOrder[];
}

export interface Volume {
  orders: number;
  clicks: number;
}

/** One order in five is led to by a link. */
const shareOfLinks = 0.2;

/** The store numbers its orders as they come in, from one that looks like years of business. */
const firstOrderId = 48_000;

/** The year of all coupons: what the shop has to tell, day by day. */
export function planYear(coupons: readonly SellingCoupon[], { orders, clicks }: Volume, calendar: Calendar, chance: Chance): DayReport[] {
  const reports: DayReport[] = calendar.days.map(() => ({ clicks: [], orders: [] }));
  const couponOn = couponPicker(coupons);
  const tell = (day: number, order: IncomingOrder): void => void reports[day]?.orders.push(order);
  let orderId = firstOrderId;
  let visitor = 0;
  for (const [day, count] of spread(orders, calendar.weights).entries()) {
    const moments = Array.from({ length: count }, () => calendar.momentOn(day, chance)).toSorted((one, other) => one - other);
    for (const placedAt of moments) {
      const coupon = couponOn(day, chance);
      orderId += chance.between(1, 9);
      visitor += 1;
      const order = newOrder({ orderId, placedAt, coupon, visitor }, chance);
      if (order.visitor !== undefined) leadTo(order, coupon, day, calendar, chance, reports);
      const life = lifeOf(order, chance);
      for (const { daysLater, as } of day < calendar.days.length - recentDays ? withoutFirstStep(life) : life) tell(day + daysLater, as);
    }
  }
  addStrollers(reports, Math.max(0, clicks - Math.round(orders * shareOfLinks)), couponOn, calendar, chance);
  return reports;
}

/** Until two months ago the shop told of an order when it was sent, not before. It makes the store in two thirds of the time. */
const recentDays = 60;

const withoutFirstStep = (life: Chapter[]): Chapter[] => (life[1]?.as.status === 'completed' ? life.slice(1) : life);

/** So many in all, over the days by their weights: the same number every year, whatever day it begins with. */
function spread(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((before, weight) => before + weight, 0);
  let [due, given] = [0, 0];
  return weights.map((weight) => {
    due += (total * weight) / sum;
    const count = Math.round(due) - given;
    given += count;
    return count;
  });
}

function couponPicker(coupons: readonly SellingCoupon[]): (day: number, chance: Chance) => SellingCoupon {
  const pick = weighted(coupons.map(({ weight }) => weight));
  return (day, chance) => {
    for (;;) {
      const coupon = coupons[pick(chance)] as SellingCoupon;
      if (coupon.since < day) return coupon;
    }
  };
}

interface Placed {
  orderId: number;
  placedAt: number;
  coupon: SellingCoupon;
  visitor: number;
}

function newOrder({ orderId, placedAt, coupon, visitor }: Placed, chance: Chance): IncomingOrder {
  const quantity = chance.pick([1, 1, 1, 2, 2, 3]);
  const total = Array.from({ length: quantity }, () => chance.pick(prices)).reduce((sum, price) => sum + price, 0);
  const byLink = chance.happens(shareOfLinks);
  // Of those who came by a link, every other one uses the code as well.
  const usesCode = !byLink || chance.happens(0.5);
  const discount = usesCode ? discountOf(coupon, total) : 0;
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
    ...(usesCode && { couponId: coupon.place }),
    ...(byLink && { visitor: `demo-visitor-${visitor}` }),
  };
}

const discountOf = ({ discount }: SellingCoupon, total: number): number =>
  'percent' in discount ? Math.round((total * discount.percent) / 100) : Math.min(discount.cents, total);

/** The click that led to an order: a little before it, or days. */
function leadTo(order: IncomingOrder, coupon: SellingCoupon, day: number, calendar: Calendar, chance: Chance, reports: DayReport[]): void {
  const daysBefore = Math.min(chance.pick([0, 0, 0, 0, 1, 2, 5, 12]), day, Math.max(0, day - coupon.since - 1));
  const on = day - daysBefore;
  const clickedAt = daysBefore === 0 ? order.placedAt - chance.between(60, 5400) * 1000 : calendar.momentOn(on, chance);
  reports[on]?.clicks.push(click(coupon, clickedAt, order.visitor ?? '', chance));
}

/** Most who click look around and go. */
function addStrollers(
  reports: readonly DayReport[],
  count: number,
  couponOn: (day: number, chance: Chance) => SellingCoupon,
  calendar: Calendar,
  chance: Chance,
): void {
  for (const [day, clicks] of spread(count, calendar.weights).entries())
    for (let made = 0; made < clicks; made += 1) {
      const visitor = `demo-stroller-${chance.between(1, count)}`;
      reports[day]?.clicks.push(click(couponOn(day, chance), calendar.momentOn(day, chance), visitor, chance));
    }
}

const click = ({ place, site }: SellingCoupon, clickedAt: number, visitor: string, chance: Chance): IncomingClick => ({
  couponId: place,
  clickedAt,
  visitor,
  ...(chance.happens(0.6) && { campaign: chance.pick(campaigns) }),
  ...(chance.happens(0.7) && { referrer: `https://${site}.example/` }),
  landingPage: chance.pick(landingPages),
});
