import type { InvoiceType } from '../../domain/invoices/invoice.ts';
import type { MethodType } from '../../domain/payout-details/payout-details.ts';
import type { BatchStatus } from '../../domain/payouts/batch.ts';
import type { PayoutFileFormat } from '../../domain/payouts/files/formats.ts';
import type { PayoutStatus, PublicStatus } from '../../domain/payouts/payout.ts';
import { bigint, boolean, entity, generatedId, hidden, nullable, primary, text } from './columns.ts';

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

/** Every payout writes the counts of all: on PostgreSQL coupons share these parts, so that their payouts do not wait for each other. */
export const partsOfAll = [...Array(16).keys()];

export const payoutDetails = entity('payout_details', {
  userId: primary(bigint('user_id')),
  method: text('method'),
  methodType: text<MethodType>('method_type'),
  encryptedDetails: nullable(text('encrypted_details')),
  firstSavedAt: bigint('first_saved_at'),
  updatedAt: bigint('updated_at'),
});

/** Payouts that were written to one file. */
export const payoutBatches = entity('payout_batches', {
  id: generatedId,
  format: text<PayoutFileFormat>('format'),
  status: text<BatchStatus>('status'),
  count: bigint('count'),
  total: bigint('total_minor'),
  currency: text('currency'),
  fileName: text('file_name'),
  encryptedFile: hidden(nullable(text('encrypted_file'))),
  createdAt: bigint('created_at'),
  completedAt: nullable(bigint('completed_at')),
  settledAt: nullable(bigint('settled_at')),
});

export const payoutBatchItems = entity('payout_batch_items', {
  batchId: primary(bigint('batch_id')),
  payoutId: primary(bigint('payout_id')),
  amount: bigint('amount_minor'),
  isCurrent: boolean('is_current'),
});

/** Files of affiliates, each for one payout: `payouts.invoice_id`. */
export const invoices = entity('invoices', {
  id: generatedId,
  userId: bigint('user_id'),
  couponId: bigint('coupon_id'),
  type: text<InvoiceType>('type'),
  size: bigint('size'),
  sha256: text('sha256'),
  createdAt: bigint('created_at'),
});
