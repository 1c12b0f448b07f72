import type { Minor } from '../money.ts';

/** The pools that a coupon has a balance of. */
export const balancePools = ['pending_order', 'unpaid', 'pending_payout', 'paid'] as const;
export type BalancePool = (typeof balancePools)[number];

/**
 * The sums of its movements that a coupon stores. `multi_level` is the sum of its multi-level shares, and `handed_over` the balance of that
 * account: with the commission of orders they are what the pools consist of.
 */
export const storedSums = [...balancePools, 'multi_level', 'handed_over'] as const;
export type StoredSum = (typeof storedSums)[number];

export const pools = ['store', 'handed_over', ...balancePools] as const;

/**
 * The accounts of the ledger. `store` is the outside: the source of commission, and the destination of reversed commission. `handed_over`
 * is the store's account for orders that were recorded before their coupon changed hands: their later changes concern no balance of the
 * new owner.
 */
export type Pool = (typeof pools)[number];

/** Why the commission of an order moves on the coupon that the order is credited to. */
export const orderReasons = ['order', 'order_granted', 'order_changed', 'order_reversed'] as const;
export const reasons = [...orderReasons, 'mla', 'payout', 'transfer', 'adjustment', 'forfeit'] as const;
export type Reason = (typeof reasons)[number];

/** The note of the movement of an adjustment, by which the two are compared. */
export const adjustmentNote = (id: number | string): string => `Adjustment ${id}`;

/** Money that moves from one pool of a coupon to another. Kept as two rows whose sum is zero, and never changed. */
export interface Movement {
  couponId: number;
  from: Pool;
  to: Pool;
  /** Above zero; the pools say which way. */
  amount: Minor;
  reason: Reason;
  orderId: number | null;
  payoutId: number | null;
  /** Who caused it; 0 for the system. */
  userId: number;
  note: string;
  at: number;
}

/** A movement of less than nothing is one the other way. */
export const directed = (from: Pool, to: Pool, amount: Minor): Pick<Movement, 'from' | 'to' | 'amount'> =>
  amount > 0 ? { from, to, amount } : { from: to, to: from, amount: -amount };
