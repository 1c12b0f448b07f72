import { fromNumber } from '../domain/money.ts';
import { methodTypes } from '../domain/payout-details/payout-details.ts';
import type { PayoutRules } from '../domain/payouts/rules.ts';
import type { Settings } from './settings/settings.ts';

/** What the settings mean for payouts. */
export function payoutRulesOf({ payouts, store }: Settings): PayoutRules {
  const methods = methodTypes.map((type) => {
    const { enabled, invoice_required: invoiceRequired } = payouts.methods[type];
    return [type, { enabled, invoiceRequired }] as const;
  });
  return {
    enabled: payouts.enabled,
    requestsEnabled: payouts.requests_enabled,
    threshold: fromNumber(payouts.threshold, store.currency),
    detailsRequired: payouts.details_required,
    methods: Object.fromEntries(methods) as PayoutRules['methods'],
  };
}
