import type { Minor } from '../money.ts';
import type { DayRange } from '../range.ts';

export interface PayoutFigures {
  /** Open requests now, whatever the range. */
  pendingCount: number;
  pendingAmount: Minor;
  /** Settled in the range. */
  paidCount: number;
  paidAmount: Minor;
}

/** What a report needs to know of payouts. */
export interface PayoutReader {
  figures(range: DayRange): Promise<PayoutFigures>;
}

/** Nobody can request a payout yet, so this is the truth. Whoever stores payouts takes its place. */
export const noPayouts: PayoutReader = {
  figures: async () => ({ pendingCount: 0, pendingAmount: 0, paidCount: 0, paidAmount: 0 }),
};
