import type { Minor } from '../money.ts';
import type { StoredSum } from './movement.ts';

/** The first findings and their total: a corrupted table may have millions. */
export interface TopFindings<Finding> {
  first: Finding[];
  total: number;
}

/** A balance, or another stored sum, of a coupon that is not what its movements say. */
export interface WrongBalance {
  couponId: number;
  code: string;
  pool: StoredSum;
  kept: Minor;
  inLedger: Minor;
}

/** A movement whose rows are not two matching rows that sum to zero. */
export interface BrokenMovement {
  movement: string;
  rows: number;
  sum: Minor;
  /** In what its rows differ: coupon, reason and so on. */
  differing: string[];
}

export type RowFlaw = 'pool' | 'reason' | 'coupon' | 'purpose' | 'order' | 'payout' | 'user' | 'note' | 'amount';

/** A row of the ledger that cannot be right, whatever the others are. */
export interface StrangeRow {
  id: number;
  movement: string;
  /** The first that was found. */
  flaw: RowFlaw;
  /** The column that is wrong, as it is stored. */
  value: string;
}

/** What an order, a share of one, a payout or an adjustment says of a pool of a coupon, and what its movements have put there. */
export interface WrongSum {
  /** The order, the payout or the adjustment. */
  id: number;
  couponId: number;
  pool: string;
  said: Minor;
  moved: Minor;
}

export type PayoutFlaw = 'no movements' | 'paid without a day' | 'a day without being paid';

export interface StrangePayout {
  id: number;
  couponId: number;
  amount: Minor;
  status: string;
  flaw: PayoutFlaw;
}

/** A stored count or amount that differs from the payouts. */
export interface WrongCount {
  scope: string;
  scopeId: number;
  day: string;
  status: string;
  kept: number;
  counted: number;
  keptAmount: Minor;
  countedAmount: Minor;
}

/** Queries that find nothing while the ledger is correct. Each returns at most `limit` findings. */
export interface LedgerChecks {
  wrongBalances(limit: number): Promise<TopFindings<WrongBalance>>;
  brokenMovements(limit: number): Promise<TopFindings<BrokenMovement>>;
  strangeRows(limit: number): Promise<TopFindings<StrangeRow>>;
  wrongOrders(limit: number): Promise<TopFindings<WrongSum>>;
  wrongShares(limit: number): Promise<TopFindings<WrongSum>>;
  wrongPayouts(limit: number): Promise<TopFindings<WrongSum>>;
  wrongAdjustments(limit: number): Promise<TopFindings<WrongSum>>;
  strangePayouts(limit: number): Promise<TopFindings<StrangePayout>>;
}
