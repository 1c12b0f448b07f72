import type { Pool } from '../../domain/ledger/movement.ts';

export type KeptPool = Exclude<Pool, 'store'>;

/** Where a coupon keeps the balance of each pool. */
export const balanceColumns: Record<KeptPool, string> = {
  unpaid: 'unpaid_minor',
  pending_order: 'pending_order_minor',
  pending_payout: 'pending_payout_minor',
  paid: 'paid_minor',
};

export const keptPools = Object.keys(balanceColumns) as KeptPool[];
