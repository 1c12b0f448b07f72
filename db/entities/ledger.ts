import type { Pool, Reason } from '../../domain/ledger/movement.ts';
import { bigint, entity, generatedId, nullable, text } from './columns.ts';

export const ledger = entity('ledger', {
  id: generatedId,
  movement: text('movement'),
  couponId: bigint('coupon_id'),
  pool: text<Pool>('pool'),
  amount: bigint('amount_minor'),
  reason: text<Reason>('reason'),
  orderId: nullable(bigint('order_id')),
  payoutId: nullable(bigint('payout_id')),
  userId: bigint('user_id'),
  note: text('note'),
  at: bigint('created_at'),
});
