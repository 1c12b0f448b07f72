import { type DayRange, isOpen } from '../dates.ts';
import type { Stores } from '../ports.ts';
import { VersionedCache } from '../versioned-cache.ts';
import { type Figures, type Snapshot, sumFigures } from './figures.ts';
import { buildSeries, type Interval, type SeriesStep } from './intervals.ts';

/** Stored or cached, calculated for this call, or a refresh that came too early. */
export type StatisticsSource = 'cache' | 'live' | 'throttled';

export interface Statistics {
  source: StatisticsSource;
  total: Figures;
  /** By coupon id; in a range, those without orders are left out. */
  byCoupon: ReadonlyMap<number, Figures>;
  /** Null unless an interval was asked for. */
  series: readonly SeriesStep[] | null;
}

export interface StatisticsQuery {
  /** Whose figures: `coupon 301`. Equal names have equal coupons. */
  subject: string;
  /** Of every coupon of the subject, read in this same view of the database. */
  snapshots: ReadonlyMap<number, Snapshot>;
  range: DayRange;
  interval: Interval | undefined;
}

/** The figures of a range of days. */
interface RangeFigures {
  byCoupon: ReadonlyMap<number, Figures>;
  series: readonly SeriesStep[];
}

export type RangeCache = VersionedCache<RangeFigures>;

/** At most so many figures, counting those of each coupon and each step. A series of ten years of days is 3660 of them. */
export const createRangeCache = (): RangeCache => new VersionedCache(50_000);

/** All-time figures are stored: they need no statement beside the snapshots. */
export const isAllTime = ({ range, interval }: Pick<StatisticsQuery, 'range' | 'interval'>): boolean =>
  isOpen(range) && interval === undefined;

export async function computeStatistics(stores: Stores, query: StatisticsQuery, cache: RangeCache): Promise<Statistics> {
  const { snapshots, range, interval } = query;
  if (isAllTime(query)) return buildStatistics(snapshots, null, 'cache');
  const { figures, source } = await rangeFigures(stores, query, cache);
  const series = interval === undefined ? null : figures.series;
  return isOpen(range) ? buildStatistics(snapshots, series, 'cache') : buildStatistics(figures.byCoupon, series, source);
}

const buildStatistics = (byCoupon: ReadonlyMap<number, Figures>, series: Statistics['series'], source: StatisticsSource): Statistics => ({
  source,
  total: sumFigures(byCoupon.values()),
  byCoupon,
  series,
});

async function rangeFigures(
  stores: Stores,
  query: StatisticsQuery,
  cache: RangeCache,
): Promise<{ figures: RangeFigures; source: 'cache' | 'live' }> {
  const { subject, range, interval } = query;
  const key = [subject, range.from, range.to, interval].join(' ');
  const versions = [...query.snapshots.values()].map(({ couponId, version }) => `${couponId}:${version}`).join();
  const cached = cache.get(key, versions);
  if (cached) return { figures: cached, source: 'cache' };
  const figures = await computeRange(stores, query);
  cache.set(key, versions, figures, 1 + figures.byCoupon.size + figures.series.length);
  return { figures, source: 'live' };
}

async function computeRange({ figures }: Stores, { snapshots, range, interval }: StatisticsQuery): Promise<RangeFigures> {
  const couponIds = [...snapshots.keys()];
  const byCoupon = isOpen(range) ? snapshots : await figures.inRange(couponIds, range);
  const series = interval === undefined ? [] : buildSeries(await figures.byDay(couponIds, range), range, interval);
  return { byCoupon, series };
}
