import { ApiError } from '../domain/errors.ts';
import { storeResponse, updateResponse } from '../domain/idempotency/replay.ts';
import type { KeyUse } from '../domain/idempotency/store.ts';
import type { PayoutClaim, RefusedRequest } from '../domain/payouts/eligibility.ts';
import { type PayoutOutcome, type PayoutRequestContext, refusedBySite } from '../domain/payouts/request.ts';
import type { Transaction } from '../domain/ports.ts';
import type { components } from '../generated/api.d.ts';
import { buildPayoutPolicy } from '../site/program.ts';
import { changeContext, type HandlerContext } from './context.ts';
import type { HandlerResponse } from './contract-types.ts';
import { payoutCreatedView, payoutView } from './views/payout.ts';

// POST /payouts beside the domain: the review by the site module and the response stored for an Idempotency-Key.

/** A use of an Idempotency-Key, and the request that it was used for. */
export type PayoutKeyUse = KeyUse & { request: string };

/** Null without a key. Two requests are the same if they name the same coupon, the only field of the body. */
export const readKeyUse = (key: string | undefined, couponId: number, { caller }: HandlerContext): PayoutKeyUse | null =>
  key === undefined ? null : { userId: caller.user.id, operation: 'post_payouts', key, request: `coupon ${couponId}` };

type Schemas = components['schemas'];

/** As stored in the database, to be replayed for the same Idempotency-Key. A refusal changed nothing and is not stored. */
export type StoredPayoutResponse = { kind: 'created'; body: Schemas['PayoutCreated'] } | { kind: 'existing'; body: Schemas['Payout'] };

export const toStoredResponse = (outcome: PayoutOutcome, { settings }: HandlerContext): StoredPayoutResponse =>
  outcome.kind === 'created'
    ? { kind: 'created', body: payoutCreatedView(outcome, settings) }
    : { kind: 'existing', body: payoutView(outcome.payout, settings) };

export const toResponse = (stored: StoredPayoutResponse): HandlerResponse<'post_payouts'> =>
  stored.kind === 'created' ? { status: 201, body: stored.body } : { status: 200, body: stored.body, headers: { 'X-Svc-Existing': 1 } };

export function payoutRequestContext(use: PayoutKeyUse | null, context: HandlerContext): PayoutRequestContext {
  const { storage, settings, site, clock, gateways, locks } = context;
  return {
    storage,
    locks,
    clock,
    secrets: context.secretsFor('payout_details'),
    policy: buildPayoutPolicy(settings, gateways),
    change: changeContext(context),
    review: site.beforePayout ? (claim) => review(claim, context) : null,
    saveOutcome:
      use &&
      ((transaction, outcome, stage) => saveOutcome(transaction, use, { answer: toStoredResponse(outcome, context), stage }, context)),
    report: context.report,
  };
}

async function review(
  { coupon, userId, amount, details }: PayoutClaim,
  { site, caller, settings }: HandlerContext,
): Promise<RefusedRequest | null> {
  const refusal = await site.beforePayout?.({
    couponId: coupon.id,
    couponCode: coupon.code,
    userId,
    amountMinor: amount,
    currency: settings.store.currency,
    methodType: details?.methodType ?? null,
    requestedBy: caller.user.id,
  });
  return refusal ? refusedBySite(refusal.reason) : null;
}

async function saveOutcome(
  transaction: Transaction,
  use: PayoutKeyUse,
  { answer, stage }: { answer: StoredPayoutResponse; stage: 'decided' | 'settled' },
  { now }: HandlerContext,
): Promise<void> {
  const { request, ...key } = use;
  if (stage === 'settled') return updateResponse(transaction, key, answer);
  // Another request with this key was answered in the meantime; a retry gets that response.
  if (!(await storeResponse(transaction, key, { request, answer }, now))) throw new ApiError('svc_api_in_progress');
}
