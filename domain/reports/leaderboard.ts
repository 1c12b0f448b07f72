import type { DayRange } from '../range.ts';
import { CouponOwners } from './coupon-owners.ts';
import { KeptDays } from './day-cache.ts';
import { highest, Places, sumsOfCoupons, sumsOfOwners } from './dense-index.ts';
import type { AffiliateSales, ReportStore } from './store.ts';

/**
 * Who earned the most in a range of days. The database would have to add up the days of all coupons for every range that nobody has asked
 * for before; so days are kept here once they were read, as bare numbers, and a range is a walk over them. Each question begins with the
 * versions of its days and owners, read in its own view: what has changed since, in whichever process, is read again, and nothing else.
 */
export class Standings {
  readonly #coupons = new Places();
  readonly #users = new Places();
  readonly #days: KeptDays;
  readonly #owners = new CouponOwners(this.#coupons, this.#users);

  /** How many rows are kept at most. */
  constructor(mostRows?: number) {
    this.#days = new KeptDays(this.#coupons, mostRows);
  }

  async best(reports: ReportStore, range: DayRange, top: number): Promise<AffiliateSales[]> {
    const { days, owners } = await reports.days(range);
    const kept = await this.#days.take(days, reports);
    // Too many, or too many that were not read yet: the next questions find more of them.
    if (!kept) return reports.best(range, top);
    const earned = sumsOfCoupons(kept, this.#coupons);
    const owned = sumsOfOwners(earned, await this.#owners.of(earned, owners, reports), this.#users);
    return (await reports.salesOf(highest(owned, this.#users, top), range)).toSorted(byCommission);
  }
}

const byCommission = (one: AffiliateSales, other: AffiliateSales): number => other.commission - one.commission || one.userId - other.userId;
