import type { DayEarnings } from './store.ts';

/** Who earned how much on a day, one at the same place as the other. */
export interface DayOfEarners {
  /** By their places among all earners. */
  earners: Uint32Array;
  commissions: Float64Array;
}

/** Everybody who has ever earned, each at a place of their own: sums by place are a hundred times as fast as sums by id. */
export class Earners {
  readonly #places = new Map<number, number>();
  readonly #userIds: number[] = [];

  dayOf(earnings: readonly DayEarnings[]): DayOfEarners {
    return {
      earners: Uint32Array.from(earnings, ({ userId }) => this.#placeOf(userId)),
      commissions: Float64Array.from(earnings, ({ commission }) => commission),
    };
  }

  /** Who earned the most on these days, the best first; among equals who has the lower id. */
  best(days: readonly DayOfEarners[], top: number): number[] {
    const sums = new Float64Array(this.#userIds.length);
    const hasOrders = new Uint8Array(this.#userIds.length);
    for (const { earners, commissions } of days) {
      for (let row = 0; row < earners.length; row += 1) {
        const place = earners[row] as number;
        sums[place] = (sums[place] as number) + (commissions[row] as number);
        hasOrders[place] = 1;
      }
    }
    return this.#highest(sums, hasOrders, top).map((place) => this.#userIds[place] as number);
  }

  /** Kept sorted while looking, because nearly everybody is worse than the last of so few. */
  #highest(sums: Float64Array, hasOrders: Uint8Array, top: number): number[] {
    const isBetter = (one: number, other: number): boolean => {
      const more = (sums[one] as number) - (sums[other] as number);
      return more === 0 ? (this.#userIds[one] as number) < (this.#userIds[other] as number) : more > 0;
    };
    const highest: number[] = [];
    for (let place = 0; place < sums.length; place += 1) {
      const last = highest.at(-1);
      const isFull = highest.length === top;
      if (hasOrders[place] === 0 || (isFull && last !== undefined && !isBetter(place, last))) continue;
      const rank = highest.findIndex((other) => isBetter(place, other));
      highest.splice(rank === -1 ? highest.length : rank, 0, place);
      if (isFull) highest.pop();
    }
    return highest;
  }

  #placeOf(userId: number): number {
    const known = this.#places.get(userId);
    if (known !== undefined) return known;
    const place = this.#userIds.push(userId) - 1;
    this.#places.set(userId, place);
    return place;
  }
}
