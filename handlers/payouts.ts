import { dayOf, dayRange } from '../domain/dates.ts';
import { ApiError } from '../domain/errors.ts';
import { findStoredResponse } from '../domain/idempotency/replay.ts';
import { changePayout, findChange } from '../domain/payouts/change.ts';
import { requestPayout } from '../domain/payouts/request.ts';
import { callerIsAdmin } from '../domain/users/user.ts';
import { changeContext, type OperationHandler } from './context.ts';
import { payoutRequestContext, readKeyUse, type StoredPayoutResponse, toResponse, toStoredResponse } from './payout-request.ts';
import { payoutView } from './views/payout.ts';
import { totals } from './views/user.ts';

export const get_payouts: OperationHandler<'get_payouts'> = async ({ query }, { caller, storage, settings, now }) => {
  const { page, per_page: perPage, status, user_id: requestedUserId, coupon_id: couponId, orderby, order } = query;
  const range = dayRange(query, dayOf(now, settings.store.timezone));
  // Spec, "GET /payouts": callers other than admins see their own, whatever the filter.
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

export const post_payouts: OperationHandler<'post_payouts'> = async ({ body, headers }, context) => {
  const { coupon_id: couponId } = body;
  const use = readKeyUse(headers['Idempotency-Key'], couponId, context);
  const stored = use && (await context.storage.read((stores) => findStoredResponse(stores, use, use.request, context.now)));
  if (stored) return toResponse(stored as StoredPayoutResponse);
  const outcome = await requestPayout({ caller: context.caller, couponId }, payoutRequestContext(use, context));
  if (outcome.kind === 'refused') throw outcome.error;
  return toResponse(toStoredResponse(outcome, context));
};

export const post_payouts_id_status: OperationHandler<'post_payouts_id_status'> = async ({ path, body }, context) => {
  const { storage, settings } = context;
  const change = await storage.read((stores) => findChange(stores, path.id, body.status));
  const payout = await storage.write((transaction) => changePayout(transaction, change, changeContext(context)));
  return { status: 200, body: payoutView(payout, settings) };
};
