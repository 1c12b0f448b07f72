import type { AffiliateStatistics } from '../../domain/affiliates/reading.ts';
import type { BalanceSources, Balances, Coupon } from '../../domain/coupons/coupon.ts';
import type { CouponStatistics } from '../../domain/coupons/reading.ts';
import { type DayRange, localDateTime } from '../../domain/dates.ts';
import { type Figures, type Snapshot, sumFigures } from '../../domain/figures/figures.ts';
import type { SeriesStep } from '../../domain/figures/intervals.ts';
import { toNumber } from '../../domain/money.ts';
import type { components } from '../../generated/api.d.ts';
import type { Settings } from '../../site/settings/settings.ts';

type Schemas = components['schemas'];
type BalanceFields = Pick<
  Schemas['Coupon'],
  'unpaid_commission' | 'pending_order_commission' | 'pending_payout_commission' | 'paid_commission'
>;

export const balancesView = ({ unpaid, pendingOrder, pendingPayout, paid }: Balances, currency: string): BalanceFields => ({
  unpaid_commission: toNumber(unpaid, currency),
  pending_order_commission: toNumber(pendingOrder, currency),
  pending_payout_commission: toNumber(pendingPayout, currency),
  paid_commission: toNumber(paid, currency),
});

/** The sum is that of the four balances. What the store's account for hand-overs took is missing in the balances of the coupons. */
export function sourcesView(sources: BalanceSources, balances: Balances, currency: string): Schemas['ReportBalances'] {
  const { unpaid, pendingOrder, pendingPayout, paid } = balances;
  return {
    referred_commission: toNumber(sources.referred, currency),
    multi_level_commission: toNumber(sources.multiLevel, currency),
    awaiting_payment_commission: toNumber(sources.awaitingPayment, currency),
    handed_over_commission: toNumber(0 - sources.handedOver, currency),
    ...(sources.adjusted !== 0 && { adjusted_commission: toNumber(sources.adjusted, currency) }),
    ...(sources.forfeited !== 0 && { forfeited_commission: toNumber(sources.forfeited, currency) }),
    total: toNumber(unpaid + pendingOrder + pendingPayout + paid, currency),
  };
}

const figuresView = (figures: Figures, currency: string): Omit<Schemas['SalesStep'], 'from' | 'to'> => ({
  orders_count: figures.ordersCount,
  total_sales: toNumber(figures.sales, currency),
  total_discount: toNumber(figures.discount, currency),
  total_shipping: toNumber(figures.shipping, currency),
  total_commission: toNumber(figures.commission, currency),
});

const lastRefreshed = ({ refreshedAt }: Snapshot, zone: string): string | null =>
  refreshedAt === null ? null : localDateTime(refreshedAt, zone);

export const couponTotalsView = (snapshot: Snapshot, { store }: Settings): Schemas['CouponTotals'] =>
  Object.assign(figuresView(snapshot, store.currency), { last_refreshed: lastRefreshed(snapshot, store.timezone) });

const seriesView = (series: readonly SeriesStep[] | null, currency: string): { series?: Schemas['SalesStep'][] } =>
  series ? { series: series.map(({ from, to, figures }) => ({ from, to, ...figuresView(figures, currency) })) } : {};

export function couponStatsView(stats: CouponStatistics, { from, to }: DayRange, { store }: Settings): Schemas['CouponStats'] {
  const { coupon, snapshot, total, series, source, retryAfter, codeIsShared } = stats;
  return {
    coupon_id: coupon.id,
    code: coupon.code,
    from,
    to,
    source,
    retry_after: retryAfter,
    code_ambiguous: codeIsShared,
    ...figuresView(total, store.currency),
    status_counts: Object.fromEntries(Object.entries(total.statusCounts).filter(([, count]) => count > 0)),
    last_refreshed: lastRefreshed(snapshot, store.timezone),
    ...balancesView(coupon.balances, store.currency),
    ...seriesView(series, store.currency),
  };
}

export function affiliateStatsView(stats: AffiliateStatistics, { from, to }: DayRange, { store }: Settings): Schemas['AffiliateStats'] {
  const { coupons, byCoupon, total, series, source, userId } = stats;
  return {
    user_id: userId,
    from,
    to,
    source,
    totals: { ...figuresView(total, store.currency), ...balancesView(stats.balances, store.currency) },
    coupons: coupons.map((coupon) => couponFiguresView(coupon, byCoupon.get(coupon.id) ?? sumFigures([]), store.currency)),
    ...seriesView(series, store.currency),
  };
}

function couponFiguresView({ id, code }: Coupon, figures: Figures, currency: string): Schemas['AffiliateCouponFigures'] {
  const { total_shipping: _, ...rest } = figuresView(figures, currency);
  return { id, code, ...rest };
}
