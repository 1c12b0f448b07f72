import { type DayRange, isOpen } from '../dates.ts';
import { VersionedCache } from '../versioned-cache.ts';
import type { FigureRepository, FigureSubject, Figures, Snapshot } from './figures.ts';
import { buildSeries, type Interval, type SeriesStep } from './intervals.ts';

/** Stored or cached, calculated for this call, or a refresh that came too early. */
export type StatisticsSource = 'cache' | 'live' | 'throttled';

export interface Statistics {
  source: StatisticsSource;
  total: Figures;
  /** Of the listed coupons, by id; in a range, those without orders are left out. */
  byCoupon: ReadonlyMap<number, Figures>;
  /** Null unless an interval was asked for. */
  series: readonly SeriesStep[] | null;
}

export interface StatisticsQuery {
  subject: FigureSubject;
  /** All-time, read in this same view of the database. Figures of another version are stale. */
  total: Figures & { version: string | number };
  /** Of the coupons whose own figures are listed, too. */
  listed: ReadonlyMap<number, Snapshot>;
  range: DayRange;
  interval: Interval | undefined;
  today: string;
}

/** The figures of a range of days. */
interface RangeFigures {
  total: Figures;
  byCoupon: ReadonlyMap<number, Figures>;
  series: readonly SeriesStep[];
}

export type RangeCache = VersionedCache<RangeFigures>;

/** At most so many figures, counting those of each coupon and each step. A series of ten years of days is 3660 of them. */
export const createRangeCache = (): RangeCache => new VersionedCache(50_000);

/** All-time figures are stored: they need no statement beside the snapshots. */
export const isAllTime = ({ range, interval }: Pick<StatisticsQuery, 'range' | 'interval'>): boolean =>
  isOpen(range) && interval === undefined;

export async function computeStatistics(db: { figures: FigureRepository }, query: StatisticsQuery, cache: RangeCache): Promise<Statistics> {
  const { total, listed: byCoupon, range, interval } = query;
  if (isAllTime(query)) return { source: 'cache', total, byCoupon, series: null };
  const { figures, source } = await rangeFigures(db, query, cache);
  const series = interval === undefined ? null : figures.series;
  return isOpen(range) ? { source: 'cache', total, byCoupon, series } : { ...figures, source, series };
}

async function rangeFigures(
  db: { figures: FigureRepository },
  query: StatisticsQuery,
  cache: RangeCache,
): Promise<{ figures: RangeFigures; source: 'cache' | 'live' }> {
  const { subject, range, interval, today } = query;
  const key = JSON.stringify([subject, range.from, range.to ?? today, interval]);
  const version = String(query.total.version);
  const cached = cache.get(key, version);
  if (cached) return { figures: cached, source: 'cache' };
  const figures = await computeRange(db, query);
  cache.set(key, version, figures, 1 + figures.byCoupon.size + figures.series.length);
  return { figures, source: 'live' };
}

async function computeRange(
  { figures }: { figures: FigureRepository },
  { subject, total, listed, range, interval, today }: StatisticsQuery,
): Promise<RangeFigures> {
  const series = interval === undefined ? [] : buildSeries(await figures.byDay(subject, range), range, { interval, today });
  if (isOpen(range)) return { total, byCoupon: listed, series };
  const byCoupon = listed.size === 0 ? listed : await figures.inRangeByCoupon([...listed.keys()], range);
  return { total: await figures.inRange(subject, range), byCoupon, series };
}
