import type { Stores } from '../ports.ts';
import { type DayRange, isOpen } from '../range.ts';
import { type Figures, type Snapshot, sumOf } from './figures.ts';
import type { RangeCache, RangeFigures } from './range-cache.ts';
import { type SeriesStep, seriesOf } from './series.ts';
import type { Interval } from './steps.ts';

/** Decision 9: stored or cached, calculated for this call, or a refresh that came too early. */
export type Source = 'cache' | 'live' | 'throttled';

export interface Statistics {
  source: Source;
  total: Figures;
  /** By coupon id; in a range, those without orders are left out. */
  byCoupon: ReadonlyMap<number, Figures>;
  /** Null unless an interval was asked for. */
  series: readonly SeriesStep[] | null;
}

export interface Question {
  /** Whose figures: `coupon 301`. Equal names have equal coupons. */
  subject: string;
  /** Of every coupon of the subject, read in this same view of the database. */
  snapshots: ReadonlyMap<number, Snapshot>;
  range: DayRange;
  interval: Interval | undefined;
}

/** All-time figures are stored: they need no statement beside the snapshots. */
export const isAllTime = ({ range, interval }: Pick<Question, 'range' | 'interval'>): boolean => isOpen(range) && interval === undefined;

export async function statisticsOf(stores: Stores, question: Question, cache: RangeCache): Promise<Statistics> {
  const { snapshots, range, interval } = question;
  if (isAllTime(question)) return shown(snapshots, null, 'cache');
  const { figures, source } = await rangeFigures(stores, question, cache);
  const series = interval === undefined ? null : figures.series;
  return isOpen(range) ? shown(snapshots, series, 'cache') : shown(figures.byCoupon, series, source);
}

const shown = (byCoupon: ReadonlyMap<number, Figures>, series: Statistics['series'], source: Source): Statistics => ({
  source,
  total: sumOf(byCoupon.values()),
  byCoupon,
  series,
});

async function rangeFigures(
  stores: Stores,
  question: Question,
  cache: RangeCache,
): Promise<{ figures: RangeFigures; source: 'cache' | 'live' }> {
  const { subject, range, interval } = question;
  const key = [subject, range.from, range.to, interval].join(' ');
  const versions = [...question.snapshots.values()].map(({ couponId, version }) => `${couponId}:${version}`).join();
  const cached = cache.get(key, versions);
  if (cached) return { figures: cached, source: 'cache' };
  const figures = await workedOut(stores, question);
  cache.set(key, versions, figures);
  return { figures, source: 'live' };
}

async function workedOut({ figures }: Stores, { snapshots, range, interval }: Question): Promise<RangeFigures> {
  const couponIds = [...snapshots.keys()];
  const byCoupon = isOpen(range) ? snapshots : await figures.inRange(couponIds, range);
  const series = interval === undefined ? [] : seriesOf(await figures.byDay(couponIds, range), range, interval);
  return { byCoupon, series };
}
