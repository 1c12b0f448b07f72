import type { IncomingOrder } from '../../domain/orders/incoming.ts';
import { type Calendar, spread } from './calendar.ts';
import { addStrollers, leadTo } from './clicks.ts';
import { lifeOf, longestLife } from './life.ts';
import { prices } from './names.ts';
import type { Chance } from './random.ts';
import { couponPicker, type DayReport, type SellingCoupon } from './selling.ts';

export interface Volume {
  orders: number;
  clicks: number;
}

/** One order in five is led to by a link. */
const shareOfLinks = 0.2;

/**
 * Until two months ago the shop sent the orders of a week in one file, once nothing of it could be sent back any more. Since then it tells
 * every night what has happened. A shop that had told every night from the beginning would take half as long again to make.
 */
const isNightly = (day: number): boolean => day >= 305;
const dayOfFile = (day: number): number => day - (day % 7) + 6 + longestLife;

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
      if (isNightly(day)) for (const { daysLater, as } of life) tell(day + daysLater, as);
      else tell(dayOfFile(day), life.at(-1)?.as ?? order);
    }
  }
  addStrollers(reports, Math.max(0, clicks - Math.round(orders * shareOfLinks)), couponOn, calendar, chance);
  return reports;
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
