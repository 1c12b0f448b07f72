import type { ErrorCode } from '../errors.ts';
import type { Minor } from '../money.ts';
import type { MethodType, PayoutDetails } from '../payout-details/payout-details.ts';

export interface PayoutRules {
  enabled: boolean;
  requestsEnabled: boolean;
  threshold: Minor;
  detailsRequired: boolean;
  methods: Record<MethodType, { enabled: boolean; invoiceRequired: boolean }>;
}

export interface PayoutFacts {
  rules: PayoutRules;
  byAdmin: boolean;
  /** The affiliate of the coupon. */
  userId: number | null;
  unpaid: Minor;
  /** The affiliate's saved payout details. */
  details: PayoutDetails | null;
}

/** Store credit needs no destination: it goes to the affiliate's account in the store. */
const lacksDetails = (details: PayoutDetails | null): boolean =>
  details === null || (details.encryptedDetails === null && details.methodType !== 'credit');

type Rule = [code: ErrorCode, applies: (facts: PayoutFacts) => boolean];

/** Spec, "POST /payouts", "Rules enforced": in that order. */
const table: readonly Rule[] = [
  ['svc_api_payouts_disabled', ({ rules }) => !rules.enabled],
  ['svc_api_requests_disabled', ({ rules, byAdmin }) => !byAdmin && !rules.requestsEnabled],
  ['svc_api_no_affiliate', ({ userId }) => userId === null],
  ['svc_api_no_balance', ({ unpaid }) => unpaid <= 0],
  // A balance of zero or less is reported by the rule above.
  ['svc_api_below_threshold', ({ rules, unpaid }) => unpaid > 0 && unpaid < rules.threshold],
  ['svc_api_no_payout_details', ({ rules, userId, details }) => userId !== null && rules.detailsRequired && lacksDetails(details)],
  ['svc_api_method_disabled', ({ rules, byAdmin, details }) => !byAdmin && details !== null && !rules.methods[details.methodType].enabled],
  ['svc_api_invoice_required', ({ rules, details }) => details !== null && rules.methods[details.methodType].invoiceRequired],
];

/** All reasons against the payout; a request is refused with the first. */
export const listObstacles = (facts: PayoutFacts): ErrorCode[] => table.filter(([, applies]) => applies(facts)).map(([code]) => code);
