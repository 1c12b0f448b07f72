import { localDateTime } from '../../domain/dates.ts';
import { toNumber } from '../../domain/money.ts';
import type { PayoutFigures } from '../../domain/payouts/repository.ts';
import type { ProgramReport, ReportStep } from '../../domain/reports/report.ts';
import type { Sales } from '../../domain/reports/repository.ts';
import type { Caller } from '../../domain/users/user.ts';
import type { components } from '../../generated/api.d.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { clickCountsView } from './clicks.ts';
import { balancesView, sourcesView } from './stats.ts';
import { userView } from './user.ts';

type Schemas = components['schemas'];

const salesView = ({ ordersCount, sales, commission }: Sales, currency: string): Omit<Schemas['TopAffiliate'], 'user_id' | 'user'> => ({
  orders_count: ordersCount,
  total_sales: toNumber(sales, currency),
  total_commission: toNumber(commission, currency),
});

const payoutsView = (payouts: PayoutFigures, currency: string): Schemas['ReportPayouts'] => ({
  pending_count: payouts.pendingCount,
  pending_amount: toNumber(payouts.pendingAmount, currency),
  paid_count: payouts.paidCount,
  paid_amount: toNumber(payouts.paidAmount, currency),
});

const totalsView = ({ affiliates, coupons, balances, sums }: ProgramReport, currency: string): Schemas['ReportTotals'] => ({
  affiliates,
  coupons,
  ...salesView(sums.total, currency),
  total_discount: toNumber(sums.total.discount, currency),
  ...balancesView(balances, currency),
});

const stepView = (step: ReportStep, currency: string): Schemas['ReportStep'] => ({
  from: step.from,
  to: step.to,
  ...salesView(step, currency),
  total_discount: toNumber(step.discount, currency),
  clicks: step.clicks,
  conversions: step.conversions,
});

export function reportView(report: ProgramReport, { caller, settings }: { caller: Caller; settings: Settings }): Schemas['ReportSummary'] {
  const { currency, timezone } = settings.store;
  return {
    generated: localDateTime(report.sums.at, timezone),
    currency,
    timezone,
    from: report.range.from,
    to: report.range.to,
    totals: totalsView(report, currency),
    balances: sourcesView(report.sources, report.balances, currency),
    ...(report.payouts && { payouts: payoutsView(report.payouts, currency) }),
    clicks: clickCountsView(report.sums.clicks),
    pending_registrations: report.pendingRegistrations,
    top_affiliates: report.top.map(({ user, sales }) => ({
      user_id: user.id,
      user: userView(user, caller),
      ...salesView(sales, currency),
    })),
    ...(report.series && { series: report.series.map((step) => stepView(step, currency)) }),
    cached: report.cached,
  };
}
