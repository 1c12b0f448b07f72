import type { Minor } from '../money.ts';

export interface Balances {
  unpaid: Minor;
  pendingOrder: Minor;
  pendingPayout: Minor;
  paid: Minor;
}

export interface Coupon {
  id: number;
  code: string;
  /** Null when it is assigned to nobody. */
  userId: number | null;
  status: 'publish' | 'draft' | 'private';
  createdAt: number;
  balances: Balances;
}

/** What a coupon begins with; its balances begin at zero and move by postings alone. */
export type NewCoupon = Omit<Coupon, 'id' | 'balances'>;
