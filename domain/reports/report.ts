import type { ClickCounts } from '../clicks/repository.ts';
import type { BalanceSources } from '../coupons/coupon.ts';
import { type DayRange, isOpen } from '../dates.ts';
import { extentOf, type Interval, type IntervalStep, splitOpenRange } from '../figures/intervals.ts';
import type { Minor } from '../money.ts';
import type { PayoutFigures, PayoutRepository } from '../payouts/repository.ts';
import type { UserRepository } from '../users/repository.ts';
import type { User } from '../users/user.ts';
import { VersionedCache } from '../versioned-cache.ts';
import { Leaderboard } from './leaderboard.ts';
import type { AffiliateSales, ProgramOverview, ReportRepository, Sales } from './repository.ts';

export interface ReportQuery {
  range: DayRange;
  /** The number of top affiliates. */
  top: number;
  /** Splits the range into steps, too. */
  series?: { interval: Interval; today: string } | null;
  /** Ignores cached sums of the range. */
  refresh: boolean;
  /** Whether the program has payouts. */
  withPayouts: boolean;
}

interface RangeSums {
  total: Sales;
  top: AffiliateSales[];
  clicks: ClickCounts;
  /** When it was computed. */
  at: number;
}

export interface ReportCaches {
  cache: VersionedCache<RangeSums>;
  /** The sum has as many rows as there are unpaid orders (benchmark row `report-range`). */
  awaitingPayment: VersionedCache<Minor>;
  leaderboard: Leaderboard;
}

const maxRanges = 500;

export const createReportCaches = (): ReportCaches => ({
  cache: new VersionedCache(maxRanges),
  awaitingPayment: new VersionedCache(1),
  leaderboard: new Leaderboard(),
});

export interface ProgramReport extends ProgramOverview {
  sources: BalanceSources;
  range: DayRange;
  sums: RangeSums;
  cached: boolean;
  /** Null where the program has no payouts. */
  payouts: PayoutFigures | null;
  top: { user: User; sales: AffiliateSales }[];
  series: ReportStep[] | null;
}

/** `top` is 50 at most. That many are cached, whatever the first query asked for. */
const maxTop = 50;

/** Reads in one snapshot. Only sums of orders and clicks may be cached, by their version; balances, names and pending counts are read. */
export async function buildReport(
  db: { reports: ReportRepository; users: UserRepository; payouts: PayoutRepository },
  query: ReportQuery,
  caches: ReportCaches,
  now: number,
): Promise<ProgramReport> {
  const { range, top } = query;
  const version = await db.reports.version();
  const { sums, cached } = await sumsOf(db, query, caches, version, now);
  const best = sums.top.slice(0, top);
  const [named, overview, awaitingPayment, payouts, series] = await Promise.all([
    db.users.byIds(best.map(({ userId }) => userId)),
    db.reports.overview(),
    awaitingPaymentOf(db, caches, version),
    query.withPayouts ? db.payouts.figures(range) : null,
    query.series ? readSeries(db.reports, range, query.series) : null,
  ]);
  const users = new Map(named.map((user) => [user.id, user]));
  return {
    ...overview,
    sources: { ...overview.sources, awaitingPayment },
    range,
    sums,
    cached,
    payouts,
    series,
    top: best.flatMap((sales) => {
      const user = users.get(sales.userId);
      return user ? [{ user, sales }] : [];
    }),
  };
}

async function sumsOf(
  { reports }: { reports: ReportRepository },
  { range, refresh }: ReportQuery,
  { cache, leaderboard }: ReportCaches,
  version: string,
  now: number,
): Promise<{ sums: RangeSums; cached: boolean }> {
  const key = `${range.from} ${range.to}`;
  const hit = refresh ? undefined : cache.get(key, version);
  if (hit) return { sums: hit, cached: true };
  const [top, total, clicks] = await Promise.all([
    refresh || isOpen(range) ? reports.best(range, maxTop) : leaderboard.best(reports, range, maxTop),
    reports.sales(range),
    reports.clicks(range),
  ]);
  const sums = { total, top, clicks, at: now };
  cache.set(key, version, sums);
  return { sums, cached: false };
}

async function awaitingPaymentOf(
  { reports }: { reports: ReportRepository },
  { awaitingPayment }: ReportCaches,
  version: string,
): Promise<Minor> {
  const hit = awaitingPayment.get('all', version);
  if (hit !== undefined) return hit;
  const sum = await reports.awaitingPayment();
  awaitingPayment.set('all', version, sum);
  return sum;
}

/** A step of a series. */
export type ReportStep = IntervalStep & Sales & ClickCounts;

/** Steps without a gap, also where nothing happened. */
export async function readSeries(
  reports: ReportRepository,
  range: DayRange,
  length: { interval: Interval; today: string },
): Promise<ReportStep[]> {
  const days = await reports.byDay(range);
  const rest = days.values();
  let next = rest.next();
  return splitOpenRange(range, extentOf(days), length).map((step) => {
    const sum = { ordersCount: 0, sales: 0, discount: 0, commission: 0, clicks: 0, conversions: 0 };
    for (; !next.done && next.value.day <= step.to; next = rest.next())
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += next.value[name];
    return { ...step, ...sum };
  });
}

/** The twelve months that end with the day, oldest first. */
export const readTwelveMonths = (lastDay: string, reports: ReportRepository): Promise<ReportStep[]> =>
  readSeries(reports, { from: firstOfYear(lastDay), to: lastDay }, { interval: 'month', today: lastDay });

function firstOfYear(lastDay: string): string {
  const date = new Date(`${lastDay.slice(0, 7)}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - 11);
  return date.toISOString().slice(0, 10);
}
