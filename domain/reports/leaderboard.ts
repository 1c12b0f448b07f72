import type { DayRange } from '../dates.ts';
import { DayCache, rowsPerBatch } from './day-cache.ts';
import { DenseIndex, noOwner, type Sums, sumByCoupon, sumByOwner, topIds } from './dense-index.ts';
import type { AffiliateSales, ReportRepository } from './repository.ts';

/**
 * Computes the affiliates with the most commission in a range of days (benchmark row `report-range`). The database would have to sum the days
 * of all coupons for every new range; here days are cached as numbers, and a range is a loop over them. Each report reads the versions of its
 * days and owners in its own snapshot first, so that only what has changed since, in any process, is read again.
 */
export class Leaderboard {
  readonly #coupons = new DenseIndex();
  readonly #users = new DenseIndex();
  readonly #days: DayCache;
  readonly #owners = new CouponOwners(this.#coupons, this.#users);

  constructor(mostRows?: number) {
    this.#days = new DayCache(this.#coupons, mostRows);
  }

  async best(reports: ReportRepository, range: DayRange, top: number): Promise<AffiliateSales[]> {
    const { days, owners } = await reports.days(range);
    const cached = await this.#days.get(days, reports);
    // Too many days, or too many that are not cached yet: later reports find more of them.
    if (!cached) return reports.best(range, top);
    const earned = sumByCoupon(cached, this.#coupons);
    const owned = sumByOwner(earned, await this.#owners.of(earned, owners, reports), this.#users);
    return (await reports.salesOf(topIds(owned, this.#users, top), range)).toSorted(byCommission);
  }
}

const byCommission = (one: AffiliateSales, other: AffiliateSales): number => other.commission - one.commission || one.userId - other.userId;

const unknown = -2;

/** The owners of coupons, by dense index. A coupon that changes hands changes the version. */
class CouponOwners {
  readonly #coupons: DenseIndex;
  readonly #users: DenseIndex;
  #version = '';
  #owners = new Int32Array();

  constructor(coupons: DenseIndex, users: DenseIndex) {
    this.#coupons = coupons;
    this.#users = users;
  }

  /** Returns the owners of all coupons with earnings, as of this version. */
  async of({ isThere }: Sums, version: string, reports: ReportRepository): Promise<Int32Array> {
    const owners = this.#ofVersion(version, isThere.length);
    const missing: number[] = [];
    for (let place = 0; place < isThere.length; place += 1) if (isThere[place] === 1 && owners[place] === unknown) missing.push(place);
    if (missing.length === 0) return owners;
    const idOf = (place: number): number => this.#coupons.ids[place] as number;
    for (let at = 0; at < missing.length; at += rowsPerBatch) {
      const batch = missing.slice(at, at + rowsPerBatch);
      const found = await reports.ownersOf(batch.map(idOf));
      for (const place of batch) {
        const userId = found.get(idOf(place));
        owners[place] = userId === undefined ? noOwner : this.#users.of(userId);
      }
    }
    return owners;
  }

  #ofVersion(version: string, length: number): Int32Array {
    if (this.#version !== version || this.#owners.length < length) {
      const longer = new Int32Array(length).fill(unknown);
      if (this.#version === version) longer.set(this.#owners);
      [this.#version, this.#owners] = [version, longer];
    }
    return this.#owners;
  }
}
