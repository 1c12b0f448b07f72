import { operations } from '../../generated/operations.ts';
import type { CouponRepository } from '../coupons/repository.ts';
import type { DayRange } from '../dates.ts';
import { ApiError } from '../errors.ts';
import { type Interval, type IntervalStep, splitOpenRange } from '../figures/intervals.ts';
import { fractionOf } from '../money.ts';
import { type Caller, callerIsAdmin } from '../users/user.ts';
import type { ClickCounts, ClickFigures, ClickFilter, ClickRepository, CouponClicks } from './repository.ts';

interface Period {
  range: DayRange;
  interval: Interval | undefined;
  today: string;
}

export type ClickStatsQuery = CouponClicks & Period;

export interface ClickStats {
  total: ClickFigures;
  /** Null without an interval. */
  series: (IntervalStep & ClickFigures)[] | null;
}

export async function clickStats(
  db: { clicks: ClickRepository; coupons: CouponRepository },
  caller: Caller,
  query: ClickStatsQuery,
): Promise<ClickStats> {
  await requireVisibleCoupon(db, caller, query.couponId);
  return computeClickStats(db, query, query);
}

export async function computeClickStats(
  db: { clicks: ClickRepository },
  filter: ClickFilter,
  { range, interval, today }: Period,
): Promise<ClickStats> {
  const steps = await stepsWithin(db, filter, { range, interval, today });
  const [total = none, ...rest] = await db.clicks.figures(filter, [range, ...steps]);
  if (interval === undefined) return { total, series: null };
  return { total, series: steps.map((step, at) => ({ ...step, ...(rest[at] ?? none) })) };
}

const none: ClickFigures = { clicks: 0, uniqueClicks: 0, conversions: 0 };

/** The upline may read a coupon, but not its visits. */
async function requireVisibleCoupon({ coupons }: { coupons: CouponRepository }, caller: Caller, couponId: number | null): Promise<void> {
  if (couponId === null) {
    if (!callerIsAdmin(caller)) throw new ApiError(operations.get_clicks_stats.owner.required_code);
    return;
  }
  if (!(await coupons.visibleTo(caller, couponId))) throw new ApiError('svc_api_not_found');
}

async function stepsWithin(
  { clicks }: { clicks: ClickRepository },
  filter: ClickFilter,
  { range, interval, today }: Period,
): Promise<IntervalStep[]> {
  if (interval === undefined) return [];
  const extent = range.from === null ? await clicks.extent(filter, range) : null;
  return splitOpenRange(range, extent, { interval, today });
}

/** Conversions per hundred clicks, with two decimals, rounded half up. 0 without clicks. */
export const conversionRate = ({ clicks, conversions }: ClickCounts): number =>
  clicks === 0 ? 0 : fractionOf(conversions, 10_000, clicks) / 100;
