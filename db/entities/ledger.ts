import type { DigestKind } from '../../domain/ledger/digest.ts';
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

/** One for each change of a record that money depends on. */
export const ledgerDigests = entity('ledger_digests', {
  id: generatedId,
  kind: text<DigestKind>('kind'),
  objectId: bigint('object_id'),
  digest: text('digest'),
  before: nullable(text('before_mark')),
});

/** The chain of seals. */
export const ledgerSeals = entity('ledger_seals', {
  number: primary(bigint('number')),
  ledgerId: bigint('ledger_id'),
  digestId: bigint('digest_id'),
  rows: bigint('row_count'),
  unmarkedTo: nullable(bigint('unmarked_to')),
  publicKey: text('public_key'),
  sealedAt: bigint('created_at'),
  hash: text('hash'),
  signature: text('signature'),
});
