import type { Minor } from '../money.ts';
import type { LedgerChecks } from './checks.ts';
import type { Movement, Pool } from './movement.ts';

export interface LedgerStore extends LedgerChecks {
  /** Writes the rows of each movement and moves the balances of the coupons with them. */
  append(movements: readonly Movement[]): Promise<void>;
  /** What a coupon holds in a pool. */
  balance(couponId: number, pool: Exclude<Pool, 'store'>): Promise<Minor>;
}
