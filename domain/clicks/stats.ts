import { operations } from '../../generated/operations.ts';
import { type Caller, callerIsAdmin } from '../caller.ts';
import { ApiError } from '../errors.ts';
import { type Interval, type Step, stepsOf } from '../figures/steps.ts';
import type { Stores } from '../ports.ts';
import type { DayRange } from '../range.ts';
import type { ClickFigures, ClickFilter } from './store.ts';

export interface ClickQuestion extends ClickFilter {
  range: DayRange;
  interval: Interval | undefined;
}

export interface ClickStats {
  total: ClickFigures;
  /** Null unless an interval was asked for. */
  series: (Step & ClickFigures)[] | null;
}

export async function clickStats(stores: Stores, caller: Caller, question: ClickQuestion): Promise<ClickStats> {
  await refuseForeign(stores, caller, question.couponId);
  const steps = await stepsWithin(stores, question);
  const [total = none, ...rest] = await stores.clicks.figures(question, [question.range, ...steps]);
  if (question.interval === undefined) return { total, series: null };
  return { total, series: steps.map((step, at) => ({ ...step, ...(rest[at] ?? none) })) };
}

const none: ClickFigures = { clicks: 0, uniqueClicks: 0, conversions: 0 };

/** Those above the owner may read a coupon, but not who visited it: no levels are named, so the owner alone is asked for. */
async function refuseForeign({ coupons }: Stores, caller: Caller, couponId: number | null): Promise<void> {
  if (couponId === null) {
    if (!callerIsAdmin(caller)) throw new ApiError(operations.get_clicks_stats.owner.required_code);
    return;
  }
  if (!(await coupons.visibleTo(caller, couponId))) throw new ApiError('svc_api_not_found');
}

/** An open end of the range is where the clicks begin or end. */
async function stepsWithin({ clicks }: Stores, { range, interval, ...filter }: ClickQuestion): Promise<Step[]> {
  if (interval === undefined) return [];
  const { from, to } = range;
  if (from !== null && to !== null) return stepsOf({ from, to }, interval);
  const extent = await clicks.extent(filter, range);
  return extent ? stepsOf({ from: from ?? extent.from, to: to ?? extent.to }, interval) : [];
}
