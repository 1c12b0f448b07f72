import type { Minor } from '../money.ts';
import type { User } from '../users/user.ts';

/** A coupon of the user, and what it holds. */
export interface HeldBalance {
  couponId: number;
  code: string;
  handovers: number;
  forfeits: readonly number[];
  unpaid: Minor;
  pendingOrder: Minor;
}

export interface ErasureRepository {
  /** Locks the coupons of the user, so that no payout is requested before the end of the transaction. */
  lockBalances(userId: number): Promise<HeldBalance[]>;
  openPayouts(userId: number): Promise<number[]>;
  /** Open payout files with payouts of the user. */
  openBatches(userId: number): Promise<number[]>;
  /** Replaces or deletes all that is personal. Returns the ids of the deleted mails. */
  eraseUser(user: User, placeholder: string, now: number): Promise<number[]>;
  /** Empty while another process erases. */
  claimDeclinedBefore(moment: number, limit: number): Promise<number[]>;
  /** With their events, deliveries, and mails, unless the address is also that of a user. Returns the ids of the deleted mails. */
  eraseApplications(ids: readonly number[], placeholder: string): Promise<number[]>;
  /** Erases clicks before this moment, the start of a day. Counts stay. Returns how many; 0 while another process erases. */
  eraseClicksBefore(moment: number, limit: number): Promise<number>;
}
