import type { Pool, Reason } from '../../domain/ledger/movement.ts';
import { bigint, entity, generatedId, nullable, primary, text } from './columns.ts';

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

/** What is booked to the store with an erased affiliate, as the index `ledger_of_forfeits` has it. */
export const isForfeit = "reason = 'forfeit' and pool <> 'store'";

/** The chain of seals. */
export const ledgerSeals = entity('ledger_seals', {
  number: primary(bigint('number')),
  lastId: bigint('last_id'),
  rows: bigint('row_count'),
  sealedAt: bigint('created_at'),
  publicKey: text('public_key'),
  hash: text('hash'),
  signature: text('signature'),
});
