import type { Minor } from '../money.ts';
import type { Movement, Pool } from './movement.ts';

/** A balance of a coupon that is not what its movements say. */
export interface WrongBalance {
  couponId: number;
  code: string;
  pool: Exclude<Pool, 'store'>;
  kept: Minor;
  inLedger: Minor;
}

/** A movement whose rows do not sum to zero, or are not two. */
export interface BrokenMovement {
  movement: string;
  rows: number;
  sum: Minor;
}

export interface LedgerStore {
  /** Writes the rows of each movement and moves the balances of the coupons with them. */
  append(movements: readonly Movement[]): Promise<void>;
  /** What a coupon holds in a pool. */
  balance(couponId: number, pool: Exclude<Pool, 'store'>): Promise<Minor>;
  wrongBalances(): Promise<WrongBalance[]>;
  brokenMovements(): Promise<BrokenMovement[]>;
}
