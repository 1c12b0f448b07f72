import { localDateTime } from '../../domain/dates.ts';
import { toNumber } from '../../domain/money.ts';
import type { CreatedPayout } from '../../domain/payouts/gateway-payment.ts';
import type { RecordedChange } from '../../domain/payouts/history.ts';
import { type NamedPayout, publicStatus } from '../../domain/payouts/payout.ts';
import type { components } from '../../generated/api.d.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { userRefView } from './user.ts';

type Schemas = components['schemas'];

export function payoutView(payout: NamedPayout, { store }: Settings): Schemas['Payout'] {
  const { currency, timezone } = store;
  return {
    id: payout.id,
    user: { id: payout.userId, display_name: payout.displayName },
    coupon_id: payout.couponId,
    coupon_code: payout.couponCode,
    amount: toNumber(payout.amount, currency),
    method: payout.method,
    method_type: payout.methodType,
    status: publicStatus(payout.status),
    has_details: payout.hasDetails,
    transaction_id: payout.transactionId,
    invoice_id: payout.invoiceId,
    date: localDateTime(payout.requestedAt, timezone),
    date_paid: payout.paidAt === null ? null : localDateTime(payout.paidAt, timezone),
  };
}

export const payoutCreatedView = ({ payout, gatewayTriggered, notice }: CreatedPayout, settings: Settings): Schemas['PayoutCreated'] => ({
  ...payoutView(payout, settings),
  gateway_triggered: gatewayTriggered,
  ...(notice !== null && { gateway_notice: notice }),
});

/** By whom and with which batch is for admins alone. */
export const payoutChangeView = ({ event, status, by, batchId, at }: RecordedChange, { store }: Settings): Schemas['PayoutChange'] => ({
  event,
  status,
  ...(by !== undefined && { by: userRefView(by) }),
  ...(batchId !== undefined && { batch_id: batchId }),
  date: localDateTime(at, store.timezone),
});
