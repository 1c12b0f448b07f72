import { adjustBalance } from '../domain/adjustments/adjust.ts';
import { listAdjustments, nameAdjustments } from '../domain/adjustments/list.ts';
import { findStoredResponse, storeFirstResponse } from '../domain/idempotency.ts';
import type { components } from '../generated/api.d.ts';
import { changeContext, type OperationHandler, readRequestKey } from './context.ts';
import { adjustmentView } from './views/adjustment.ts';
import { totals } from './views/user.ts';

export const get_adjustments: OperationHandler<'get_adjustments'> = async ({ query }, { caller, storage, settings }) => {
  const { page, per_page: perPage, user_id: userId, coupon_id: couponId } = query;
  const filter = { ...(userId !== undefined && { userId }), ...(couponId !== undefined && { couponId }) };
  const { items, total } = await storage.read((db) => listAdjustments(db, caller, filter, { page, perPage }));
  return { status: 200, body: items.map((one) => adjustmentView(one, settings)), headers: totals(total, perPage), cacheable: true };
};

export const post_adjustments: OperationHandler<'post_adjustments'> = async ({ body, headers }, context) => {
  const { coupon_id: couponId, amount, note } = body;
  const { storage, caller, settings, now } = context;
  const use = readRequestKey(headers['Idempotency-Key'], 'post_adjustments', JSON.stringify([couponId, amount, note]), context);
  const stored = use && (await storage.query((db) => findStoredResponse(db, use, now)));
  if (stored) return { status: 201, body: stored as components['schemas']['Adjustment'] };
  const view = await storage.write(async (transaction) => {
    const adjustment = await adjustBalance(transaction, { couponId, amount, note }, changeContext(context));
    const [named] = await nameAdjustments(transaction, caller, [adjustment]);
    if (!named) throw new Error('The adjustment has no names.');
    const answer = adjustmentView(named, settings);
    if (use) await storeFirstResponse(transaction, use, answer, now);
    return answer;
  });
  return { status: 201, body: view };
};
