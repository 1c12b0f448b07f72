import type { PayoutDetails } from './payout-details.ts';

export interface PayoutDetailsStore {
  ofUser(userId: number): Promise<PayoutDetails | null>;
  /** In place of what was saved before. */
  save(details: PayoutDetails): Promise<void>;
}
