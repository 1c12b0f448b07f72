import type { Minor } from '../money.ts';
import type { LedgerChecks } from './checks.ts';
import type { BalancePool, Movement } from './movement.ts';

export interface LedgerRepository extends LedgerChecks {
  /** Writes the rows of each movement and moves the balances of the coupons with them. */
  append(movements: readonly Movement[]): Promise<void>;
  /** What a coupon holds in a pool. */
  balance(couponId: number, pool: BalancePool): Promise<Minor>;
  /** At most so many movements of an order on these coupons, the last ones, oldest first. */
  ofOrder(orderId: number, couponIds: readonly number[], limit: number): Promise<Movement[]>;
}
