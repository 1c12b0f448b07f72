import { type PlannedAffiliate, type PlannedCoupon, planAffiliates } from './affiliates.ts';
import { type PlannedApplication, planApplications } from './applications.ts';
import type { Calendar } from './calendar.ts';
import { siteNames } from './names.ts';
import { planYear } from './orders.ts';
import type { Chance } from './random.ts';
import type { DayReport, SellingCoupon } from './selling.ts';

export interface DemoSize {
  affiliates: number;
  orders: number;
  clicks: number;
}

/** A shop with so many orders in a year. */
export const sizeOf = (orders: number): DemoSize => ({
  orders,
  clicks: 2 * orders,
  affiliates: Math.min(240, 20 + Math.floor(orders / 80)),
});

/** What will have happened. Coupons have no ids before they are made, so they are named by their place. */
export interface Plan {
  affiliates: PlannedAffiliate[];
  applications: PlannedApplication[];
  /** The store's own. It is assigned to nobody, and earns nobody anything. */
  unassigned: PlannedCoupon;
  days: DayReport[];
}

/** Where the coupons of an affiliate begin among all coupons. */
export const placesOf = (affiliates: readonly PlannedAffiliate[]): number[] => {
  let place = 0;
  return affiliates.map(({ coupons }) => {
    place += coupons.length;
    return place - coupons.length;
  });
};

const unassigned: PlannedCoupon = { code: 'WELCOME5', status: 'publish', percent: null, discountType: 'percent', discount: 5 };

export function planDemo(size: DemoSize, calendar: Calendar, chance: Chance): Plan {
  const nextName = siteNames(chance);
  const affiliates = planAffiliates(size.affiliates, nextName, chance);
  const applications = planApplications(calendar.days.length, nextName, chance);
  return { affiliates, applications, unassigned, days: planYear(sellingCoupons(affiliates), size, calendar, chance) };
}

function sellingCoupons(affiliates: readonly PlannedAffiliate[]): SellingCoupon[] {
  const places = placesOf(affiliates);
  return affiliates.flatMap(({ coupons, weight, joined: since, login: site }, at) => {
    const all = coupons.map((coupon, index) => ({
      place: (places[at] ?? 0) + index,
      status: coupon.status,
      // The second coupon is for the few.
      weight: weight / (1 + 3 * index),
      discount: coupon.discountType === 'percent' ? { percent: coupon.discount } : { cents: coupon.discount },
      ...{ since, site },
    }));
    return all.filter(({ status }) => status === 'publish');
  });
}
