import { ApiError } from '../domain/errors.ts';
import { decideSignal } from '../domain/risk/decide.ts';
import { changeContext, type OperationHandler } from './context.ts';
import { riskSignalView } from './views/risk-signal.ts';
import { totals } from './views/user.ts';

export const get_risk_signals: OperationHandler<'get_risk_signals'> = async ({ query }, { storage, settings }) => {
  const { page, per_page: perPage, status, kind, severity, user_id: userId } = query;
  const filter = {
    ...(kind !== undefined && { kinds: [kind] }),
    ...(severity !== undefined && { severity }),
    ...(status !== undefined && { status }),
    ...(userId !== undefined && { userId }),
  };
  const { items, total } = await storage.read(({ riskSignals }) => riskSignals.page(filter, { page, perPage }));
  const body = items.map((signal) => riskSignalView(signal, settings.store.timezone));
  return { status: 200, body, headers: totals(total, perPage), cacheable: true };
};

export const get_risk_signals_id: OperationHandler<'get_risk_signals_id'> = async ({ path }, { storage, settings }) => {
  const signal = await storage.query(({ riskSignals }) => riskSignals.byId(path.id));
  if (!signal) throw new ApiError('svc_api_not_found');
  return { status: 200, body: riskSignalView(signal, settings.store.timezone), cacheable: true };
};

export const post_risk_signals_id_status: OperationHandler<'post_risk_signals_id_status'> = async ({ path, body }, context) => {
  const { status, note } = body;
  const signal = await context.storage.write((transaction) => decideSignal(transaction, path.id, { status, note }, changeContext(context)));
  return { status: 200, body: riskSignalView(signal, context.settings.store.timezone) };
};
