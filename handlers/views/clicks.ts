import type { ClickCounts, ClickFigures } from '../../domain/clicks/repository.ts';
import { type ClickStats, type ClickStatsQuery, conversionRate } from '../../domain/clicks/stats.ts';
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

export const clickStatsView = ({ total, series }: ClickStats, { couponId, campaign, range }: ClickStatsQuery): Schemas['ClickStats'] => ({
  coupon_id: couponId,
  campaign,
  from: range.from,
  to: range.to,
  ...figuresView(total),
  ...(series && { series: series.map(({ from, to, ...figures }) => ({ from, to, ...figuresView(figures) })) }),
});
