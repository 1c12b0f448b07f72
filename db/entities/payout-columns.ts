import type { NamedPayout, NewPayout, Payout } from '../../domain/payouts/payout.ts';
import { toSafeInteger } from './columns.ts';

type Row = Record<string, unknown>;

/** What a payout is stored as, in the order of the columns. */
export const payoutValues = (payout: NewPayout): Record<string, unknown> => ({
  user_id: payout.userId,
  coupon_id: payout.couponId,
  amount_minor: payout.amount,
  method: payout.method,
  method_type: payout.methodType,
  has_details: payout.hasDetails ? 1 : 0,
  status: payout.status,
  transaction_id: payout.transactionId,
  invoice_id: payout.invoiceId,
  day: payout.day,
  requested_at: payout.requestedAt,
  paid_day: payout.paidDay,
  paid_at: payout.paidAt,
});

/** Payouts with the names that their ids stand for. */
export const namedPayouts = `
  select payouts.*, coupons.code as coupon_code, users.display_name from payouts
  join coupons on coupons.id = payouts.coupon_id join users on users.id = payouts.user_id`;

export const toNamedPayout = (row: Row): NamedPayout => ({
  ...toPayout(row),
  couponCode: String(row['coupon_code']),
  displayName: String(row['display_name']),
});

/** What a named payout consists of, for those who read many. */
export const namedColumns = [
  'id',
  'user_id',
  'coupon_id',
  'amount_minor',
  'method',
  'method_type',
  'has_details',
  'status',
  'transaction_id',
  'invoice_id',
  'day',
  'requested_at',
  'paid_day',
  'paid_at',
  'coupon_code',
  'display_name',
] as const;

const toPayout = (row: Row): Payout => ({
  id: toSafeInteger(row['id']),
  userId: toSafeInteger(row['user_id']),
  couponId: toSafeInteger(row['coupon_id']),
  amount: toSafeInteger(row['amount_minor']),
  method: String(row['method']),
  methodType: row['method_type'] as Payout['methodType'],
  hasDetails: toSafeInteger(row['has_details']) === 1,
  status: row['status'] as Payout['status'],
  transactionId: String(row['transaction_id']),
  invoiceId: toSafeInteger(row['invoice_id']),
  day: String(row['day']),
  requestedAt: toSafeInteger(row['requested_at']),
  paidDay: row['paid_day'] as string | null,
  paidAt: row['paid_at'] === null ? null : toSafeInteger(row['paid_at']),
});
