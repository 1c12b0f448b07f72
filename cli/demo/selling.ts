import type { IncomingClick } from '../../domain/clicks/incoming.ts';
import type { IncomingOrder } from '../../domain/orders/incoming.ts';
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

/** One that can be used on the day, by its weight. */
export function couponPicker(coupons: readonly SellingCoupon[]): (day: number, chance: Chance) => SellingCoupon {
  const pick = weighted(coupons.map(({ weight }) => weight));
  return (day, chance) => {
    for (;;) {
      const coupon = coupons[pick(chance)] as SellingCoupon;
      if (coupon.since < day) return coupon;
    }
  };
}
