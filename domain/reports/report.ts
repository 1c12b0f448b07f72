import type { PayoutFigures } from '../payouts/store.ts';
import type { Stores } from '../ports.ts';
import { type DayRange, isOpen } from '../range.ts';
import type { User } from '../users/user.ts';
import type { RangeSums, ReportCache } from './cache.ts';
import type { Leaderboard } from './leaderboard.ts';
import type { AffiliateSales, ProgramOverview } from './store.ts';

export interface ReportQuery {
  range: DayRange;
  /** The number of top affiliates. */
  top: number;
  /** Ignores cached sums. */
  refresh: boolean;
  /** Whether the program has payouts. */
  withPayouts: boolean;
}

export interface ReportCaches {
  cache: ReportCache;
  leaderboard: Leaderboard;
}

export interface ProgramReport extends ProgramOverview {
  range: DayRange;
  sums: RangeSums;
  cached: boolean;
  /** Null where the program has no payouts. */
  payouts: PayoutFigures | null;
  top: { user: User; sales: AffiliateSales }[];
}

/** Decisions, "Query parameters": `top` is 50 at most. That many are cached, whatever the first query asked for. */
const maxTop = 50;

/** Reads in one snapshot. Only the sums of the range may be cached; balances, names and pending counts are current. */
export async function buildReport(stores: Stores, query: ReportQuery, caches: ReportCaches, now: number): Promise<ProgramReport> {
  const { range, top } = query;
  const { sums, cached } = await sumsOf(stores, query, caches, now);
  const best = sums.top.slice(0, top);
  const users = new Map((await stores.users.byIds(best.map(({ userId }) => userId))).map((user) => [user.id, user]));
  return {
    ...(await stores.reports.overview()),
    range,
    sums,
    cached,
    payouts: query.withPayouts ? await stores.payouts.figures(range) : null,
    top: best.flatMap((sales) => {
      const user = users.get(sales.userId);
      return user ? [{ user, sales }] : [];
    }),
  };
}

async function sumsOf(
  { reports }: Stores,
  { range, refresh }: ReportQuery,
  { cache, leaderboard }: ReportCaches,
  now: number,
): Promise<{ sums: RangeSums; cached: boolean }> {
  const key = `${range.from} ${range.to}`;
  const version = await reports.version();
  const known = refresh ? undefined : cache.get(key, version);
  if (known) return { sums: known, cached: true };
  const top = refresh || isOpen(range) ? await reports.best(range, maxTop) : await leaderboard.best(reports, range, maxTop);
  const sums = { total: await reports.sales(range), top, clicks: await reports.clicks(range), at: now };
  cache.set(key, version, sums);
  return { sums, cached: false };
}
