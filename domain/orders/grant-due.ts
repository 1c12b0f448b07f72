import type { Transaction } from '../ports.ts';
import { applyChanges } from './apply-changes.ts';
import type { ChangeContext } from './change-context.ts';

/** Grants commission whose clearing period is over, for at most `limit` orders. Returns the number of orders. */
export async function grantDue(transaction: Transaction, context: ChangeContext, limit: number): Promise<number> {
  const granted = await transaction.orders.claimDue(context.now, limit);
  const coupons = await transaction.couponTerms.byIds([...new Set(granted.map(({ couponId }) => couponId))]);
  const changes = granted.map((after) => ({ before: { ...after, commissionStatus: 'pending' as const, grantedAt: null }, after }));
  await applyChanges(transaction, changes, new Map(coupons.map((coupon) => [coupon.id, coupon])), context);
  return granted.length;
}
