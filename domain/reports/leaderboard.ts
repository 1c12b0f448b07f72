import type { DayRange } from '../range.ts';
import { CouponOwners } from './coupon-owners.ts';
import { DayCache } from './day-cache.ts';
import { DenseIndex, sumByCoupon, sumByOwner, topIds } from './dense-index.ts';
import type { AffiliateSales, ReportStore } from './store.ts';

/**
 * Computes the affiliates with the most commission in a range of days (benchmark row report-unseen). The database would have to sum the days
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

  async best(reports: ReportStore, range: DayRange, top: number): Promise<AffiliateSales[]> {
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
