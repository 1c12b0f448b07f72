import type { IncomingClick } from '../../domain/clicks/incoming.ts';
import type { IncomingOrder } from '../../domain/orders/incoming.ts';
import { type Calendar, spread } from './calendar.ts';
import { campaigns, landingPages } from './names.ts';
import type { Chance } from './random.ts';
import type { DayReport, SellingCoupon } from './selling.ts';

/** The click that led to an order: a little before it, or days. */
export function leadTo(
  order: IncomingOrder,
  coupon: SellingCoupon,
  day: number,
  calendar: Calendar,
  chance: Chance,
  reports: DayReport[],
): void {
  const daysBefore = Math.min(chance.pick([0, 0, 0, 0, 1, 2, 5, 12]), day, Math.max(0, day - coupon.since - 1));
  const on = day - daysBefore;
  const clickedAt = daysBefore === 0 ? order.placedAt - chance.between(60, 5400) * 1000 : calendar.momentOn(on, chance);
  reports[on]?.clicks.push(click(coupon, clickedAt, order.visitor ?? '', chance));
}

/** Most who click look around and go. */
export function addStrollers(
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
