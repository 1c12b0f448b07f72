import type { CouponEarnings } from './store.ts';

/** Gives each id a place of its own: sums by place are a hundred times as fast as sums by id. Nobody ever leaves. */
export class Places {
  readonly #places = new Map<number, number>();
  readonly ids: number[] = [];

  of(id: number): number {
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    const place = this.ids.push(id) - 1;
    this.#places.set(id, place);
    return place;
  }
}

/** Which coupons earned how much on a day, one at the same position as the other. */
export interface DayOfSellers {
  sellers: Uint32Array;
  commissions: Float64Array;
}

export const dayOfSellers = (earnings: readonly CouponEarnings[], coupons: Places): DayOfSellers => ({
  sellers: Uint32Array.from(earnings, ({ couponId }) => coupons.of(couponId)),
  commissions: Float64Array.from(earnings, ({ commission }) => commission),
});

/** Sums by place, and who has any: a sum may be zero. */
export interface Sums {
  amounts: Float64Array;
  isThere: Uint8Array;
}

const noSums = ({ ids }: Places): Sums => ({ amounts: new Float64Array(ids.length), isThere: new Uint8Array(ids.length) });

/** What each coupon earned on these days. */
export function sumsOfCoupons(days: readonly DayOfSellers[], coupons: Places): Sums {
  const sums = noSums(coupons);
  for (const { sellers, commissions } of days)
    for (let row = 0; row < sellers.length; row += 1) add(sums, sellers[row] as number, commissions[row] as number);
  return sums;
}

/** Whose a coupon is, where it is nobody's. */
export const nobody = -1;

/** What each affiliate earned, by the places of the affiliates that coupons belong to. */
export function sumsOfOwners({ amounts, isThere }: Sums, owners: Int32Array, users: Places): Sums {
  const sums = noSums(users);
  for (let coupon = 0; coupon < amounts.length; coupon += 1) {
    const owner = owners[coupon] as number;
    if (isThere[coupon] === 1 && owner !== nobody) add(sums, owner, amounts[coupon] as number);
  }
  return sums;
}

function add({ amounts, isThere }: Sums, place: number, amount: number): void {
  amounts[place] = (amounts[place] as number) + amount;
  isThere[place] = 1;
}

/** The ids of those with the most, the best first; among equals the lower id. */
export function highest({ amounts, isThere }: Sums, { ids }: Places, top: number): number[] {
  const isBetter = (one: number, other: number): boolean => {
    const more = (amounts[one] as number) - (amounts[other] as number);
    return more === 0 ? (ids[one] as number) < (ids[other] as number) : more > 0;
  };
  // Sorted at any time, because nearly everybody is worse than the last of so few.
  const best: number[] = [];
  for (let place = 0; place < amounts.length; place += 1) {
    const last = best.length === top ? best.at(-1) : undefined;
    if (isThere[place] === 0 || (last !== undefined && !isBetter(place, last))) continue;
    const rank = best.findIndex((other) => isBetter(place, other));
    best.splice(rank === -1 ? best.length : rank, 0, place);
    if (last !== undefined) best.pop();
  }
  return best.map((place) => ids[place] as number);
}
