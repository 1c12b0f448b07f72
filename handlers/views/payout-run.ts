import { toNumber } from '../../domain/money.ts';
import type { PayoutRun, RunOutcome } from '../../domain/payouts/run.ts';
import type { components } from '../../generated/api.d.ts';
import type { HandlerContext } from '../context.ts';
import { userView } from './user.ts';

type Schemas = components['schemas'];
type Viewing = Pick<HandlerContext, 'caller' | 'settings'>;

export function payoutRunView({ outcomes, remaining }: PayoutRun, isPreview: boolean, viewing: Viewing): Schemas['PayoutRun'] {
  const requested = outcomes.filter(({ kind }) => kind === 'requested');
  const sum = requested.reduce((total, { amount }) => total + amount, 0);
  return {
    preview: isPreview,
    requested_count: requested.length,
    requested_amount: toNumber(sum, viewing.settings.store.currency),
    remaining,
    next_after: remaining > 0 ? (outcomes.at(-1)?.coupon.id ?? null) : null,
    outcomes: outcomes.map((outcome) => outcomeView(outcome, viewing)),
  };
}

const outcomeView = (outcome: RunOutcome, { caller, settings }: Viewing): Schemas['PayoutRunOutcome'] => ({
  coupon_id: outcome.coupon.id,
  coupon_code: outcome.coupon.code,
  user: outcome.owner && userView(outcome.owner, caller),
  amount: toNumber(outcome.amount, settings.store.currency),
  method: outcome.method,
  method_type: outcome.methodType,
  outcome: outcome.kind,
  payout_id: outcome.payoutId,
  code: outcome.error?.code ?? null,
  message: outcome.error?.message ?? null,
  debt: toNumber(outcome.debt, settings.store.currency),
  failed_payout_id: outcome.failedPayoutId,
});
