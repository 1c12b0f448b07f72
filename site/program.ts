import { atLeast, atMost, fromNumber } from '../domain/money.ts';
import { type MethodType, methodTypes } from '../domain/payout-details/payout-details.ts';
import type { PayoutPolicy } from '../domain/payouts/create.ts';
import type { PayoutRules } from '../domain/payouts/eligibility.ts';
import type { Pay } from '../domain/payouts/gateway.ts';
import type { Program } from '../domain/program.ts';
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
  const { store, service, commission, attribution, multi_level: multiLevel, registration } = settings;
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
    multiLevelThousandths: isAddOnActive('multi_level', settings) ? multiLevel.rates.map(thousandths) : [],
    couponTemplate: {
      percentThousandths: percent === null ? null : thousandths(percent),
      discountType,
      discountAmount: discountType === 'percent' ? thousandths(discountAmount) : fromNumber(discountAmount, store.currency),
    },
  };
});

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
export function buildPayoutPolicy(settings: Settings, gateways: ReadonlyMap<string, Pay>): PayoutPolicy {
  const { methods, auto_accept: autoAccept } = settings.payouts;
  const { enabled, max_amount: maxAmount, gateway } = autoAccept;
  const labels = Object.fromEntries(methodTypes.map((type) => [type, methods[type].label])) as Record<MethodType, string>;
  const acceptance = { maxAmount: atMost(maxAmount, settings.store.currency), gateway, pay: gateways.get(gateway) };
  return { rules: buildPayoutRules(settings), labels, acceptance: enabled ? acceptance : null };
}
