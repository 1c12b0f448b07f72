import type { ClickCounts, ClickFigures } from '../../domain/clicks/repository.ts';
import { type ClickStats, type ClickStatsQuery, conversionRate } from '../../domain/clicks/stats.ts';
import type { DayRange } from '../../domain/dates.ts';
import type { components } from '../../generated/api.d.ts';

type Schemas = components['schemas'];

export const clickCountsView = ({ clicks, conversions }: ClickCounts): Schemas['ReportClicks'] => ({
  clicks,
  conversions,
  conversion_rate: conversionRate({ clicks, conversions }),
});

const figuresView = (figures: ClickFigures): Omit<Schemas['ClickStep'], 'from' | 'to'> => ({
  ...clickCountsView(figures),
  unique_clicks: figures.uniqueClicks,
});

export const clickStatsView = (stats: ClickStats, { couponId, ...query }: ClickStatsQuery): Schemas['ClickStats'] => ({
  coupon_id: couponId,
  ...periodView(stats, query),
});

export const affiliateClicksView = (
  stats: ClickStats,
  { userId, ...query }: ClickQuery & { userId: number },
): Schemas['AffiliateClicks'] => ({ user_id: userId, ...periodView(stats, query) });

interface ClickQuery {
  campaign: string | null;
  range: DayRange;
}

const periodView = ({ total, series }: ClickStats, { campaign, range }: ClickQuery): Omit<Schemas['ClickStats'], 'coupon_id'> => ({
  campaign,
  from: range.from,
  to: range.to,
  ...figuresView(total),
  ...(series && { series: series.map(({ from, to, ...figures }) => ({ from, to, ...figuresView(figures) })) }),
});
