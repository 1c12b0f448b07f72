import type { ErrorCode } from '../errors.ts';
import type { Minor } from '../money.ts';
import type { MethodType, PayoutDetails } from '../payout-details/payout-details.ts';

/** What the store says about payouts. */
export interface PayoutRules {
  enabled: boolean;
  requestsEnabled: boolean;
  threshold: Minor;
  detailsRequired: boolean;
  methods: Record<MethodType, { enabled: boolean; invoiceRequired: boolean }>;
}

/** A payout that somebody wants, or might want. */
export interface PayoutSituation {
  rules: PayoutRules;
  byAdmin: boolean;
  /** The affiliate of the coupon. */
  userId: number | null;
  unpaid: Minor;
  /** What that affiliate has saved. */
  details: PayoutDetails | null;
}

/** Store credit goes to the affiliate's own account in the store, so there is no destination to be saved. */
const lacksDetails = (details: PayoutDetails | null): boolean =>
  details === null || (details.encryptedDetails === null && details.methodType !== 'credit');

type Rule = [code: ErrorCode, standsAgainst: (situation: PayoutSituation) => boolean];

/** Spec, "POST /payouts", "Rules enforced": in that order. */
const table: readonly Rule[] = [
  ['svc_api_payouts_disabled', ({ rules }) => !rules.enabled],
  ['svc_api_requests_disabled', ({ rules, byAdmin }) => !byAdmin && !rules.requestsEnabled],
  ['svc_api_no_affiliate', ({ userId }) => userId === null],
  ['svc_api_no_balance', ({ unpaid }) => unpaid <= 0],
  // Where there is nothing at all, the rule above has said it.
  ['svc_api_below_threshold', ({ rules, unpaid }) => unpaid > 0 && unpaid < rules.threshold],
  ['svc_api_no_payout_details', ({ rules, userId, details }) => userId !== null && rules.detailsRequired && lacksDetails(details)],
  ['svc_api_method_disabled', ({ rules, byAdmin, details }) => !byAdmin && details !== null && !rules.methods[details.methodType].enabled],
  ['svc_api_invoice_required', ({ rules, details }) => details !== null && rules.methods[details.methodType].invoiceRequired],
];

/** Everything that stands against the payout; a request is refused with the first. */
export const payoutObstacles = (situation: PayoutSituation): ErrorCode[] =>
  table.filter(([, standsAgainst]) => standsAgainst(situation)).map(([code]) => code);
