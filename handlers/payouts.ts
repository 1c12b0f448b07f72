import { dayOf, dayRange } from '../domain/dates.ts';
import { ApiError } from '../domain/errors.ts';
import {
  findStoredResponse,
  type IdempotencyRepository,
  type RequestKey,
  storeFirstResponse,
  updateResponse,
} from '../domain/idempotency.ts';
import { atLeast, toNumber } from '../domain/money.ts';
import { saveOwnDetails } from '../domain/payout-details/own-details.ts';
import { changeSinglePayout, findChange } from '../domain/payouts/change.ts';
import type { PayoutClaim, RefusedRequest } from '../domain/payouts/eligibility.ts';
import { readHistory } from '../domain/payouts/history.ts';
import { type PayoutOutcome, type PayoutRequestContext, refusedBySite, requestPayout } from '../domain/payouts/request.ts';
import { runPayouts } from '../domain/payouts/run.ts';
import type { Transaction } from '../domain/unit-of-work.ts';
import { callerIsAdmin } from '../domain/users/user.ts';
import type { components } from '../generated/api.d.ts';
import { buildPayoutPolicy, buildProgram, listChoosableMethods } from '../site/program.ts';
import { changeContext, type HandlerContext, type OperationHandler, readRequestKey } from './context.ts';
import type { HandlerResponse } from './contract-types.ts';
import { payoutChangeView, payoutCreatedView, payoutView } from './views/payout.ts';
import { ownPayoutDetailsView } from './views/payout-details.ts';
import { payoutRunView } from './views/payout-run.ts';
import { totals } from './views/user.ts';

export const get_me_payout_details: OperationHandler<'get_me_payout_details'> = async (_request, context) => {
  const details = await context.storage.query(({ payoutDetails }) => payoutDetails.ofUser(context.caller.user.id));
  return { status: 200, body: ownPayoutDetailsView(details, context) };
};

export const put_me_payout_details: OperationHandler<'put_me_payout_details'> = async ({ body }, context) => {
  const { method_type: methodType, method, details } = body;
  const { caller, settings, now } = context;
  const secrets = context.secretsFor('payout_details');
  const saving = { now, secrets, labels: listChoosableMethods(settings), sender: buildProgram(settings) };
  const saved = await context.storage.write((transaction) =>
    saveOwnDetails(transaction, caller.user, { methodType, method, details }, saving),
  );
  return { status: 200, body: ownPayoutDetailsView(saved, context) };
};

export const get_payouts: OperationHandler<'get_payouts'> = async ({ query }, { caller, storage, settings, now }) => {
  const { page, per_page: perPage, status, user_id: requestedUserId, coupon_id: couponId, orderby, order } = query;
  const range = dayRange(query, dayOf(now, settings.store.timezone));
  // Callers other than admins see their own, whatever the filter.
  const userId = callerIsAdmin(caller) ? requestedUserId : caller.user.id;
  const filter = {
    range,
    ...(userId !== undefined && { userId }),
    ...(couponId !== undefined && { couponId }),
    ...(status !== undefined && { status }),
  };
  const { items, total } = await storage.read(({ payouts }) => payouts.page(filter, { by: orderby, direction: order }, { page, perPage }));
  return { status: 200, body: items.map((payout) => payoutView(payout, settings)), headers: totals(total, perPage), cacheable: true };
};

export const get_payouts_id: OperationHandler<'get_payouts_id'> = async ({ path }, { caller, storage, settings }) => {
  const payout = await storage.query(({ payouts }) => payouts.visibleTo(caller, path.id));
  if (!payout) throw new ApiError('svc_api_not_found');
  return { status: 200, body: payoutView(payout, settings), cacheable: true };
};

export const get_payouts_id_history: OperationHandler<'get_payouts_id_history'> = async (
  { path, query },
  { caller, storage, settings },
) => {
  const { page, per_page: perPage } = query;
  const { items, total } = await storage.read((db) => readHistory(db, caller, path.id, { page, perPage }));
  return { status: 200, body: items.map((change) => payoutChangeView(change, settings)), headers: totals(total, perPage), cacheable: true };
};

export const post_payouts: OperationHandler<'post_payouts'> = async ({ body, headers }, context) => {
  const { coupon_id: couponId } = body;
  // Two requests are the same if they name the same coupon, the only field of the body.
  const use = readRequestKey(headers['Idempotency-Key'], 'post_payouts', `coupon ${couponId}`, context);
  const stored = use && (await context.storage.query((db) => findStoredResponse(db, use, context.now)));
  if (stored) return toResponse(stored as StoredPayoutResponse);
  const outcome = await requestPayout({ caller: context.caller, couponId }, payoutRequestContext(use, context));
  if (outcome.kind === 'refused') throw outcome.error;
  return toResponse(toStoredResponse(outcome, context));
};

export const post_payouts_id_status: OperationHandler<'post_payouts_id_status'> = async ({ path, body }, context) => {
  const { storage, settings } = context;
  const change = await storage.query((db) => findChange(db, path.id, body.status, body.from));
  const payout = await storage.write((transaction) => changeSinglePayout(transaction, change, changeContext(context)));
  return { status: 200, body: payoutView(payout, settings) };
};

export const post_payout_runs: OperationHandler<'post_payout_runs'> = async ({ body }, context) => {
  const { min_amount: minAmount, method_type: methodType, coupon_ids: couponIds, after = 0, preview: isPreview } = body;
  const { caller, settings } = context;
  const filter = {
    minAmount: minAmount === undefined ? null : atLeast(minAmount, settings.store.currency),
    methodType: methodType ?? null,
    couponIds: couponIds ?? null,
    after,
  };
  const run = await runPayouts({ caller, filter, isPreview }, payoutRequestContext(null, context));
  return { status: 200, body: payoutRunView(run, isPreview, context) };
};

// POST /payouts beside the domain: the review by the site module and the response stored for an Idempotency-Key.

type Schemas = components['schemas'];

/** As stored in the database, to be replayed for the same Idempotency-Key. A refusal changed nothing and is not stored. */
type StoredPayoutResponse = { kind: 'created'; body: Schemas['PayoutCreated'] } | { kind: 'existing'; body: Schemas['Payout'] };

const toStoredResponse = (outcome: PayoutOutcome, { settings }: HandlerContext): StoredPayoutResponse =>
  outcome.kind === 'created'
    ? { kind: 'created', body: payoutCreatedView(outcome, settings) }
    : { kind: 'existing', body: payoutView(outcome.payout, settings) };

const toResponse = (stored: StoredPayoutResponse): HandlerResponse<'post_payouts'> =>
  stored.kind === 'created' ? { status: 201, body: stored.body } : { status: 200, body: stored.body, headers: { 'X-Svc-Existing': 1 } };

/** Since the dry run, orders may have changed the balance, the affiliate the method, and an admin the owner of the coupon. */
function isConfirmed({ userId, amount, details }: PayoutClaim, { confirmed, settings }: HandlerContext): boolean {
  const shown = confirmed as components['schemas']['Payout'];
  const isSame = shown.user.id === userId && shown.method_type === (details?.methodType ?? '');
  return isSame && shown.amount === toNumber(amount, settings.store.currency);
}

function payoutRequestContext(use: RequestKey | null, context: HandlerContext): PayoutRequestContext {
  const { storage, settings, site, clock, gateways, locks } = context;
  return {
    storage,
    locks,
    clock,
    secrets: context.secretsFor('payout_details'),
    policy: buildPayoutPolicy(settings, gateways),
    change: changeContext(context),
    review: site.beforePayout ? (claim) => review(claim, context) : null,
    isConfirmed: context.confirmed === undefined ? null : (claim) => isConfirmed(claim, context),
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
  transaction: Transaction<{ idempotency: IdempotencyRepository }>,
  use: RequestKey,
  { answer, stage }: { answer: StoredPayoutResponse; stage: 'decided' | 'settled' },
  { now }: HandlerContext,
): Promise<void> {
  if (stage === 'settled') return updateResponse(transaction, use, answer);
  return storeFirstResponse(transaction, use, answer, now);
}
