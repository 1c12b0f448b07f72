import { localDateTime } from '../../domain/dates.ts';
import { toNumber } from '../../domain/money.ts';
import type { PayoutBatch } from '../../domain/payouts/batch.ts';
import { type NamedPayout, publicStatus } from '../../domain/payouts/payout.ts';
import type { components } from '../../generated/api.d.ts';

type Schemas = components['schemas'];

/** Without the folder of the file, which is one of the machine where the command ran. */
export const payoutBatchView = (batch: PayoutBatch, zone: string): Schemas['PayoutBatch'] => ({
  id: batch.id,
  format: batch.format,
  status: batch.status,
  count: batch.count,
  total: toNumber(batch.total, batch.currency),
  currency: batch.currency,
  file: batch.fileName.replace(/^.*[/\\]/, ''),
  file_complete: batch.completedAt !== null,
  date: localDateTime(batch.createdAt, zone),
  date_settled: batch.settledAt === null ? null : localDateTime(batch.settledAt, zone),
});

export const payoutBatchDetailView = (batch: PayoutBatch, payouts: readonly NamedPayout[], zone: string): Schemas['PayoutBatchDetail'] => ({
  ...payoutBatchView(batch, zone),
  payouts: payouts.map(({ id, userId, displayName, couponCode, amount, status }) => ({
    payout_id: id,
    user_id: userId,
    display_name: displayName,
    coupon_code: couponCode,
    amount: toNumber(amount, batch.currency),
    status: publicStatus(status),
  })),
});
