import { dayOf, startOfDay } from '../domain/dates.ts';
import { atLeast, atMost, fromNumber } from '../domain/money.ts';
import { type MethodType, methodTypes } from '../domain/payout-details/payout-details.ts';
import type { PayoutPolicy } from '../domain/payouts/create.ts';
import type { PayoutRules } from '../domain/payouts/eligibility.ts';
import type { Pay } from '../domain/payouts/gateway.ts';
import type { Program } from '../domain/program.ts';
import { type HoldPolicy, holdNothing } from '../domain/risk/holds.ts';
import { isAddOnActive } from './served.ts';
import type { Settings } from './settings/settings.ts';

const thousandths = (percent: number): number => Math.round(percent * 1000);

/** A change of the settings creates a new object, so what follows from one is computed once for it. */
export function oncePerSettings<Result>(build: (settings: Settings) => Result): (settings: Settings) => Result {
  const results = new WeakMap<Settings, Result>();
  return (settings) => {
    const known = results.get(settings);
    if (known !== undefined) return known;
    const result = build(settings);
    results.set(settings, result);
    return result;
  };
}

/** What the settings mean for the program: amounts in minor units, percentages in thousandths, and no rate of an inactive add-on. */
export const buildProgram = oncePerSettings((settings): Program => {
  const { store, service, commission, attribution, recurring, multi_level: multiLevel, registration, risk } = settings;
  const { percent, discount_type: discountType, discount_amount: discountAmount } = registration.coupon_template;
  return {
    zone: store.timezone,
    currency: store.currency,
    shopUrl: store.url,
    storeName: store.name,
    serviceUrl: service.url.replace(/\/+$/, ''),
    rates: {
      percentThousandths: thousandths(commission.percent),
      fixedPerOrder: fromNumber(commission.fixed_per_order, store.currency),
      fixedPerProduct: fromNumber(commission.fixed_per_product, store.currency),
    },
    clearingDays: commission.clearing_days,
    attribution: { windowDays: attribution.window_days, lifetime: attribution.lifetime },
    recurring: {
      percentThousandths: recurring.percent === null ? null : thousandths(recurring.percent),
      maxPayments: recurring.payments,
      maxMonths: recurring.months,
    },
    multiLevelThousandths: isAddOnActive('multi_level', settings) ? multiLevel.rates.map(thousandths) : [],
    risk: isAddOnActive('risk', settings)
      ? {
          marksSelfReferrals: risk.self_referral.enabled,
          highCommissionPercent: risk.high_commission.enabled ? risk.high_commission.percent : null,
        }
      : null,
    couponTemplate: {
      percentThousandths: percent === null ? null : thousandths(percent),
      discountType,
      discountAmount: discountType === 'percent' ? thousandths(discountAmount) : fromNumber(discountAmount, store.currency),
    },
  };
});

/** The start of the first day whose clicks are kept. 0: all are. Clicks that may still be credited are kept in any case. */
export function findOldestClick({ privacy, attribution, store }: Settings, now: number): number {
  const days = Math.max(privacy.click_days, attribution.window_days);
  return privacy.click_days === 0 ? 0 : startOfDay(dayOf(now - days * 86_400_000, store.timezone), store.timezone);
}

/** What the settings mean for payouts. */
export const buildPayoutRules = oncePerSettings(({ payouts, store }): PayoutRules => {
  const methods = methodTypes.map((type) => {
    const { enabled, invoice_required: invoiceRequired } = payouts.methods[type];
    return [type, { enabled, invoiceRequired }] as const;
  });
  return {
    enabled: payouts.enabled,
    requestsEnabled: payouts.requests_enabled,
    threshold: atLeast(payouts.threshold, store.currency),
    detailsRequired: payouts.details_required,
    methods: Object.fromEntries(methods) as PayoutRules['methods'],
  };
});

/** The labels of the payout methods that can be chosen, by kind. */
export const listChoosableMethods = oncePerSettings(({ payouts }): Partial<Record<MethodType, string>> => {
  const enabled = methodTypes.filter((type) => payouts.methods[type].enabled);
  return Object.fromEntries(enabled.map((type) => [type, payouts.methods[type].label]));
});

/** What the settings mean for a payout that is requested now. */
export function buildPayoutPolicy(settings: Settings, gateways: ReadonlyMap<string, Pay | null>): PayoutPolicy {
  const { methods, auto_accept: autoAccept } = settings.payouts;
  const { enabled, max_amount: maxAmount, gateway } = autoAccept;
  const labels = Object.fromEntries(methodTypes.map((type) => [type, methods[type].label])) as Record<MethodType, string>;
  const acceptance = { maxAmount: atMost(maxAmount, settings.store.currency), gateway, pay: gateways.get(gateway) };
  return { rules: buildPayoutRules(settings), labels, acceptance: enabled ? acceptance : null, holds: buildHoldPolicy(settings) };
}

/** Which payouts wait for a person. */
export const buildHoldPolicy = oncePerSettings((settings): HoldPolicy => {
  const { hold_payouts: least, details_changed: details, debt } = settings.risk;
  if (least === 'none' || !isAddOnActive('risk', settings)) return holdNothing;
  return {
    severities: least === 'high' ? ['high'] : ['medium', 'high'],
    detailsChangedHours: details.enabled ? details.hours : null,
    holdsDebts: debt.enabled,
  };
});
