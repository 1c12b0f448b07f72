import { groupBy } from '../group-by.ts';
import { VersionedCache } from '../versioned-cache.ts';
import { type DayEarnings, type DenseIndex, toDayEarnings } from './dense-index.ts';
import type { CouponEarnings, ReportRepository, SalesDay } from './repository.ts';

/** A row takes twelve bytes. */
const maxRows = 3_000_000;

/** Bounds how long one batch blocks the event loop, and how much one report loads. */
export const rowsPerBatch = 10_000;
const rowsPerReport = 40_000;

/** LRU cache of the earnings by day, bounded by rows. Entries of another version are reloaded. */
export class DayCache {
  readonly #coupons: DenseIndex;
  readonly #maxRows: number;
  readonly #days: VersionedCache<DayEarnings>;
  /** Days that concurrent reports are loading. */
  readonly #loading = new Set<string>();

  constructor(coupons: DenseIndex, maxCached = maxRows) {
    this.#coupons = coupons;
    this.#maxRows = maxCached;
    this.#days = new VersionedCache(maxCached);
  }

  /** Returns all of these days, or undefined if there are too many, or if more are missing than one report may load. */
  async get(wanted: readonly SalesDay[], reports: ReportRepository): Promise<DayEarnings[] | undefined> {
    if (rowsOf(wanted) > this.#maxRows) return undefined;
    const found: DayEarnings[] = [];
    const missing: SalesDay[] = [];
    for (const day of wanted) {
      const cached = this.#days.get(day.day, day.version);
      if (cached) found.push(cached);
      else missing.push(day);
    }
    found.push(...(await this.#load(missing, reports)));
    return found.length === wanted.length ? found : undefined;
  }

  /** Loads as many days as one report may, the newest first: they are used most. */
  async #load(missing: readonly SalesDay[], reports: ReportRepository): Promise<DayEarnings[]> {
    // If many are missing, skips days that a concurrent report is loading.
    const isOwn = ({ day }: SalesDay): boolean => rowsOf(missing) <= rowsPerReport || !this.#loading.has(day);
    const left = missing.filter(isOwn).sort((one, other) => (one.day < other.day ? 1 : -1));
    const own = firstOf(left, rowsPerReport);
    for (const { day } of own) this.#loading.add(day);
    try {
      const loaded: DayEarnings[] = [];
      for (let rest = own; rest.length > 0; ) {
        const batch = firstOf(rest, rowsPerBatch);
        loaded.push(...(await this.#read(batch, reports)));
        rest = rest.slice(batch.length);
      }
      return loaded;
    } finally {
      for (const { day } of own) this.#loading.delete(day);
    }
  }

  async #read(days: readonly SalesDay[], reports: ReportRepository): Promise<DayEarnings[]> {
    const earnings = groupBy(await readEarnings(days, reports), ({ day }) => day);
    return days.map(({ day, version }) => {
      const loaded = toDayEarnings(earnings.get(day) ?? [], this.#coupons);
      this.#days.set(day, version, loaded, loaded.sellers.length);
      return loaded;
    });
  }
}

/** A day that is larger than a batch is read in parts. */
async function readEarnings(days: readonly SalesDay[], reports: ReportRepository): Promise<CouponEarnings[]> {
  const [first] = days;
  if (days.length !== 1 || !first || first.coupons <= rowsPerBatch) return reports.earnings(days.map(({ day }) => day));
  const earnings: CouponEarnings[] = [];
  for (let last = 0, size = rowsPerBatch; size === rowsPerBatch; last = earnings.at(-1)?.couponId ?? 0) {
    const part = await reports.earningsAfter(first.day, last, rowsPerBatch);
    for (const one of part) earnings.push(one);
    size = part.length;
  }
  return earnings;
}

const rowsOf = (days: readonly SalesDay[]): number => days.reduce((rows, { coupons }) => rows + coupons, 0);

/** The first days that have at most `limit` rows together, but at least one. */
function firstOf(days: readonly SalesDay[], limit: number): SalesDay[] {
  let rows = 0;
  const end = days.findIndex(({ coupons }, index) => {
    rows += coupons;
    return index > 0 && rows > limit;
  });
  return end === -1 ? [...days] : days.slice(0, end);
}
