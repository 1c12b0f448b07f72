import type { Coupon } from '../coupons/coupon.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import type { Minor } from '../money.ts';
import type { MethodType, PayoutDetails } from '../payout-details/payout-details.ts';
import { type Caller, callerIsAdmin, type User } from '../users/user.ts';
import type { NamedPayout } from './payout.ts';
import type { PayoutRepository } from './repository.ts';

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
  /** An invoice of the affiliate for the coupon waits for its payout. */
  hasInvoice: boolean;
}

/** Store credit needs no destination: it goes to the affiliate's account in the store. */
const lacksDetails = (details: PayoutDetails | null): boolean =>
  details === null || (details.encryptedDetails === null && details.methodType !== 'credit');

type Rule = [code: ErrorCode, applies: (facts: PayoutFacts) => boolean];

/** The rules of `POST /payouts`, in the order in which they are checked. */
const table: readonly Rule[] = [
  ['svc_api_payouts_disabled', ({ rules }) => !rules.enabled],
  ['svc_api_requests_disabled', ({ rules, byAdmin }) => !byAdmin && !rules.requestsEnabled],
  ['svc_api_no_affiliate', ({ userId }) => userId === null],
  ['svc_api_no_balance', ({ unpaid }) => unpaid <= 0],
  // A balance of zero or less is reported by the rule above.
  ['svc_api_below_threshold', ({ rules, unpaid }) => unpaid > 0 && unpaid < rules.threshold],
  ['svc_api_no_payout_details', ({ rules, userId, details }) => userId !== null && rules.detailsRequired && lacksDetails(details)],
  ['svc_api_method_disabled', ({ rules, byAdmin, details }) => !byAdmin && details !== null && !rules.methods[details.methodType].enabled],
  [
    'svc_api_invoice_required',
    ({ rules, details, hasInvoice }) => details !== null && rules.methods[details.methodType].invoiceRequired && !hasInvoice,
  ],
];

/** All reasons against the payout; a request is refused with the first. */
export function listObstacles(facts: PayoutFacts): ErrorCode[] {
  const obstacles: ErrorCode[] = [];
  for (const [code, applies] of table) if (applies(facts)) obstacles.push(code);
  return obstacles;
}

/** The amount is not part of it: a request is for the whole unpaid balance. */
export interface PayoutRequest {
  caller: Caller;
  couponId: number;
}

/** A payout that may be created. */
export interface PayoutClaim {
  coupon: Coupon;
  /** The affiliate of the coupon. */
  userId: number;
  payee: Pick<User, 'displayName' | 'email'>;
  amount: Minor;
  details: PayoutDetails | null;
  /** The invoice that the payout takes. 0 when there is none. */
  invoiceId: number;
}

export type ExistingPayout = { kind: 'existing'; payout: NamedPayout };
export type RefusedRequest = { kind: 'refused'; error: ApiError };
type RequestState = ExistingPayout | RefusedRequest | { kind: 'requestable'; claim: PayoutClaim };

export const refuseRequest = (error: ApiError): RefusedRequest => ({ kind: 'refused', error });

/** The checks in their order; one statement. @throws ApiError for a coupon that is not the caller's. */
export async function checkRequest(
  { payouts }: { payouts: PayoutRepository },
  { caller, couponId }: PayoutRequest,
  rules: PayoutRules,
): Promise<RequestState> {
  // The upline may read a coupon, but not request its payout.
  const found = await payouts.requestableBy(caller, couponId);
  if (!found) throw new ApiError('svc_api_not_found');
  const { coupon, open, details, owner, invoiceId } = found;
  if (open) return existingFor(caller, open);
  const { userId } = coupon;
  const amount = coupon.balances.unpaid;
  const facts = { rules, byAdmin: callerIsAdmin(caller), userId, unpaid: amount, details, hasInvoice: invoiceId > 0 };
  const [obstacle] = listObstacles(facts);
  if (obstacle !== undefined || userId === null || !owner) return refuseRequest(new ApiError(obstacle ?? 'svc_api_no_affiliate'));
  return { kind: 'requestable', claim: { coupon, userId, payee: owner, amount, details, invoiceId } };
}

/** An open request of a former owner is not shown to the new owner. */
const existingFor = (caller: Caller, open: NamedPayout): ExistingPayout | RefusedRequest =>
  callerIsAdmin(caller) || open.userId === caller.user.id
    ? { kind: 'existing', payout: open }
    : refuseRequest(new ApiError('svc_api_conflict', { message: 'Another request of this coupon is open.' }));
