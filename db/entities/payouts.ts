import type { MethodType } from '../../domain/payout-details/payout-details.ts';
import type { PayoutStatus, PublicStatus } from '../../domain/payouts/payout.ts';
import { bigint, boolean, entity, generatedId, nullable, primary, text } from './columns.ts';

export const payouts = entity('payouts', {
  id: generatedId,
  userId: bigint('user_id'),
  couponId: bigint('coupon_id'),
  amount: bigint('amount_minor'),
  method: text('method'),
  methodType: text<MethodType | ''>('method_type'),
  hasDetails: boolean('has_details'),
  status: text<PayoutStatus>('status'),
  transactionId: text('transaction_id'),
  invoiceId: bigint('invoice_id'),
  day: text('day'),
  requestedAt: bigint('requested_at'),
  paidDay: nullable(text('paid_day')),
  paidAt: nullable(bigint('paid_at')),
});

/** Payouts counted by day and status. `paid` counts by the day of payment, the other scopes by the day of the request. */
export const payoutDays = entity('payout_days', {
  scope: primary(text<'all' | 'user' | 'coupon' | 'paid'>('scope')),
  scopeId: primary(bigint('scope_id')),
  day: primary(text('day')),
  status: primary(text<PublicStatus>('status')),
  count: bigint('count'),
  amount: bigint('amount_minor'),
});

export const payoutDetails = entity('payout_details', {
  userId: primary(bigint('user_id')),
  method: text('method'),
  methodType: text<MethodType>('method_type'),
  encryptedDetails: nullable(text('encrypted_details')),
  updatedAt: bigint('updated_at'),
});
