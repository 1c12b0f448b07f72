import type { RiskRules } from '../domain/risk/rules.ts';
import { type RiskKind, riskKinds } from '../domain/risk/signal.ts';
import { oncePerSettings } from './program.ts';

/** What the settings mean for signals. */
export const buildRiskRules = oncePerSettings(({ risk, store }): RiskRules => {
  const { refund_rate: rate, refund_after_payout: afterPayout, code_without_click: code } = risk;
  return {
    enabled: new Set<RiskKind>(riskKinds.filter((kind) => risk[kind].enabled)),
    zone: store.timezone,
    currency: store.currency,
    refundRate: rate,
    refundAfterPayout: afterPayout,
    detailsChanged: risk.details_changed,
    codeWithoutClick: { orders: code.orders, percent: code.percent, ordersBefore: code.orders_before, times: code.times },
    fastConversion: risk.fast_conversion,
    clickSpike: risk.click_spike,
    visitorManyCoupons: risk.visitor_many_coupons,
  };
});
