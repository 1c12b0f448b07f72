import type { Caller } from '../caller.ts';
import type { Minor } from '../money.ts';
import type { Page, Paged } from '../page.ts';
import type { DayRange } from '../range.ts';
import type { NamedPayout, NewPayout, Payout } from './payout.ts';
import type { PublicStatus } from './steps.ts';

export interface PayoutFilter {
  userId?: number;
  couponId?: number;
  status?: PublicStatus;
  /** Days of the request. */
  range: DayRange;
}

export interface PayoutOrder {
  by: 'id' | 'date' | 'date_paid' | 'amount';
  direction: 'asc' | 'desc';
}

/** What a report tells of payouts. */
export interface PayoutFigures {
  /** Open requests now, whatever the range. */
  pendingCount: number;
  pendingAmount: Minor;
  /** Settled in the range. */
  paidCount: number;
  paidAmount: Minor;
}

/** A pool of a coupon that does not hold what the coupon's payouts say. */
export interface WrongPool {
  couponId: number;
  code: string;
  pool: 'pending_payout' | 'paid';
  kept: Minor;
  inPayouts: Minor;
}

/** A count, or the amount with it, that is kept beside the payouts and does not agree with them. */
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

export interface PayoutStore {
  byId(id: number): Promise<NamedPayout | null>;
  /** For admins and the payee. Null for everybody else, as when there is no such payout, found out by the same query. */
  visibleTo(caller: Caller, id: number): Promise<NamedPayout | null>;
  page(filter: PayoutFilter, order: PayoutOrder, page: Page): Promise<Paged<NamedPayout>>;
  /** The coupon's open request. */
  openOf(couponId: number): Promise<NamedPayout | null>;
  /** Those that were being handed to a gateway, oldest first. */
  processing(): Promise<NamedPayout[]>;
  /** Until the end of the transaction. False while another process holds it. */
  claim(couponId: number): Promise<boolean>;
  /** The id, or null when the coupon has an open request meanwhile. */
  insert(payout: NewPayout): Promise<number | null>;
  /** False when it no longer stands as it did before: somebody else was quicker. */
  move(before: Payout, after: Payout): Promise<boolean>;
  figures(range: DayRange): Promise<PayoutFigures>;
  wrongPools(): Promise<WrongPool[]>;
  wrongCounts(): Promise<WrongCount[]>;
}
