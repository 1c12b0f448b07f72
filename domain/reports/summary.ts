import type { PayoutFigures } from '../payouts/store.ts';
import type { Stores } from '../ports.ts';
import { type DayRange, isOpen } from '../range.ts';
import type { User } from '../users/user.ts';
import type { RangeSums, ReportCache } from './cache.ts';
import type { Standings } from './leaderboard.ts';
import type { AffiliateSales, Standing } from './store.ts';

export interface ReportQuestion {
  range: DayRange;
  /** How many of the best affiliates. */
  top: number;
  /** Add up anew, whatever is cached. */
  refresh: boolean;
  /** Whether the program has payouts. */
  withPayouts: boolean;
}

/** What a process remembers of reports. */
export interface ReportMemory {
  cache: ReportCache;
  /** Help with ranges that nobody has asked for yet. */
  standings: Standings;
}

export interface Report extends Standing {
  range: DayRange;
  sums: RangeSums;
  cached: boolean;
  /** Null where the program has no payouts. */
  payouts: PayoutFigures | null;
  top: { user: User; sales: AffiliateSales }[];
}

/** Decisions, "Query parameters": `top` is 50 at most. As many are kept, whatever was asked for first. */
const mostTop = 50;

/** Everything is read in one view of the database. Balances, names and what is pending are of now; only the sums of the range may be cached. */
export async function summarise(stores: Stores, question: ReportQuestion, memory: ReportMemory, now: number): Promise<Report> {
  const { range, top } = question;
  const { sums, cached } = await sumsOf(stores, question, memory, now);
  const best = sums.top.slice(0, top);
  const users = new Map((await stores.users.byIds(best.map(({ userId }) => userId))).map((user) => [user.id, user]));
  return {
    ...(await stores.reports.standing()),
    range,
    sums,
    cached,
    payouts: question.withPayouts ? await stores.payouts.figures(range) : null,
    top: best.flatMap((sales) => {
      const user = users.get(sales.userId);
      return user ? [{ user, sales }] : [];
    }),
  };
}

async function sumsOf(
  { reports }: Stores,
  { range, refresh }: ReportQuestion,
  { cache, standings }: ReportMemory,
  now: number,
): Promise<{ sums: RangeSums; cached: boolean }> {
  const key = `${range.from} ${range.to}`;
  const version = await reports.version();
  const known = refresh ? undefined : cache.get(key, version);
  if (known) return { sums: known, cached: true };
  const top = refresh || isOpen(range) ? await reports.best(range, mostTop) : await standings.best(reports, range, mostTop);
  const sums = { total: await reports.sales(range), top, clicks: await reports.clicks(range), at: now };
  cache.set(key, version, sums);
  return { sums, cached: false };
}
