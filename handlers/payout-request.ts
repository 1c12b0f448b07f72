import { ApiError, type ErrorCode } from '../domain/errors.ts';
import { storeResponse, updateResponse } from '../domain/idempotency/replay.ts';
import type { KeyUse } from '../domain/idempotency/store.ts';
import type { PayoutClaim, RefusedRequest } from '../domain/payouts/eligibility.ts';
import { type PayoutRequestContext, type RequestOutcome, refusedBySite } from '../domain/payouts/request.ts';
import type { Transaction } from '../domain/ports.ts';
import type { components } from '../generated/api.d.ts';
import { buildPayoutPolicy } from '../site/payout-rules.ts';
import { buildProgram } from '../site/program.ts';
import type { HandlerContext } from './context.ts';
import type { HandlerResponse } from './contract-types.ts';
import { payoutCreatedView, payoutView } from './views/payout.ts';

// What POST /payouts needs beside the domain: the site's say, and the memory of an Idempotency-Key.

/** A use of an Idempotency-Key, with what it was used for. */
export type Use = KeyUse & { request: string };

/** Null without a key. Two requests are the same when they ask for the same coupon: nothing else in the body means anything. */
export const useOf = (key: string | undefined, couponId: number, { caller }: HandlerContext): Use | null =>
  key === undefined ? null : { userId: caller.user.id, operation: 'post_payouts', key, request: `coupon ${couponId}` };

type Schemas = components['schemas'];

/** An answer as it is kept for whoever asks again. */
export type KeptAnswer =
  | { kind: 'created'; body: Schemas['PayoutCreated'] }
  | { kind: 'existing'; body: Schemas['Payout'] }
  | { kind: 'refused'; code: ErrorCode; message: string };

export function answered(outcome: RequestOutcome, { settings }: HandlerContext): KeptAnswer {
  if (outcome.kind === 'created') return { kind: 'created', body: payoutCreatedView(outcome, settings) };
  if (outcome.kind === 'existing') return { kind: 'existing', body: payoutView(outcome.payout, settings) };
  return { kind: 'refused', code: outcome.error.code, message: outcome.error.message };
}

/** @throws ApiError for a refusal. */
export function replyOf(answer: KeptAnswer): HandlerResponse<'post_payouts'> {
  if (answer.kind === 'refused') throw new ApiError(answer.code, { message: answer.message });
  if (answer.kind === 'created') return { status: 201, body: answer.body };
  return { status: 200, body: answer.body, headers: { 'X-Svc-Existing': 1 } };
}

export function requesting(use: Use | null, context: HandlerContext): PayoutRequestContext {
  const { storage, settings, site, now, clock, caller, gateways, locks } = context;
  return {
    storage,
    locks,
    clock,
    secrets: context.secretsFor('payout_details'),
    policy: buildPayoutPolicy(settings, gateways),
    change: { now, userId: caller.user.id, program: buildProgram(settings) },
    review: site.beforePayout ? (claim) => reviewed(claim, context) : null,
    saveOutcome:
      use && ((transaction, outcome, stage) => saveOutcome(transaction, use, { answer: answered(outcome, context), stage }, context)),
    report: context.report,
  };
}

async function reviewed(
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
  use: Use,
  { answer, stage }: { answer: KeptAnswer; stage: 'decided' | 'settled' },
  { now }: HandlerContext,
): Promise<void> {
  const { request, ...key } = use;
  if (stage === 'settled') return updateResponse(transaction, key, answer);
  // Another request with this key was answered meanwhile: whoever asks again gets that answer.
  if (!(await storeResponse(transaction, key, { request, answer }, now))) throw new ApiError('svc_api_in_progress');
}
