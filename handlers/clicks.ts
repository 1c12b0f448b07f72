import { clickStats } from '../domain/clicks/stats.ts';
import { dayOf, dayRange } from '../domain/dates.ts';
import type { OperationHandler } from './context.ts';
import { clickStatsView } from './views/clicks.ts';

export const get_clicks_stats: OperationHandler<'get_clicks_stats'> = async ({ query }, { caller, settings, now, readHeavy }) => {
  const today = dayOf(now, settings.store.timezone);
  const question = {
    couponId: query.coupon_id ?? null,
    campaign: query.campaign ?? null,
    range: dayRange(query, today),
    interval: query.interval,
    today,
  };
  const stats = await readHeavy((db) => clickStats(db, caller, question));
  return { status: 200, body: clickStatsView(stats, question), cacheable: true };
};
