import type { PayoutDetails } from './payout-details.ts';

export interface PayoutDetailsStore {
  ofUser(userId: number): Promise<PayoutDetails | null>;
  /** Of those that hold a destination, the newest. */
  newest(limit: number): Promise<PayoutDetails[]>;
  /** In place of what was saved before. */
  save(details: PayoutDetails): Promise<void>;
}
