import { atLeast, atMost } from '../domain/money.ts';
import { type MethodType, methodTypes } from '../domain/payout-details/payout-details.ts';
import type { PayoutPolicy } from '../domain/payouts/create.ts';
import type { PayoutRules } from '../domain/payouts/eligibility.ts';
import type { Pay } from '../domain/payouts/gateway.ts';
import type { Settings } from './settings/settings.ts';

/** What the settings mean for payouts. */
export function buildPayoutRules({ payouts, store }: Settings): PayoutRules {
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
}

/** What the settings mean for a payout that is requested now. */
export function buildPayoutPolicy(settings: Settings, gateways: ReadonlyMap<string, Pay>): PayoutPolicy {
  const { methods, auto_accept: autoAccept } = settings.payouts;
  const { enabled, max_amount: maxAmount, gateway } = autoAccept;
  const labels = Object.fromEntries(methodTypes.map((type) => [type, methods[type].label])) as Record<MethodType, string>;
  const acceptance = { maxAmount: atMost(maxAmount, settings.store.currency), gateway, pay: gateways.get(gateway) };
  return { rules: buildPayoutRules(settings), labels, acceptance: enabled ? acceptance : null };
}
