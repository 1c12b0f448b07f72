import type { Transaction } from '../ports.ts';
import { settle } from './settle.ts';
import type { Surroundings } from './surroundings.ts';

/** Grants commission whose clearing days are over, of at most so many orders. How many it were. */
export async function grantDue(transaction: Transaction, surroundings: Surroundings, limit: number): Promise<number> {
  const granted = await transaction.orders.claimDue(surroundings.now, limit);
  const coupons = await transaction.couponTerms.byIds([...new Set(granted.map(({ couponId }) => couponId))]);
  const steps = granted.map((after) => ({ before: { ...after, commissionStatus: 'pending' as const, grantedAt: null }, after }));
  await settle(transaction, steps, new Map(coupons.map((coupon) => [coupon.id, coupon])), surroundings);
  return granted.length;
}
