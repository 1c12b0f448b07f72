import type { Minor } from '../money.ts';
import type { MethodType } from '../payout-details/payout-details.ts';

export type PayoutStatus = 'pending' | 'created' | 'processing' | 'paid' | 'cancel' | 'failed';

/** The amount is fixed by the request; the status decides the ledger pool. */
export interface Payout {
  id: number;
  /** The payee: the affiliate of the coupon at the time of the request. */
  userId: number;
  couponId: number;
  amount: Minor;
  /** Label and kind of the method saved at that time. Empty if there was none. */
  method: string;
  methodType: MethodType | '';
  hasDetails: boolean;
  status: PayoutStatus;
  transactionId: string;
  invoiceId: number;
  requestedAt: number;
  /** The day of the request in the store's time zone. Lists and counts use it. */
  day: string;
  /** Null unless it is paid. */
  paidAt: number | null;
  paidDay: string | null;
}

export type NewPayout = Omit<Payout, 'id'>;

export interface NamedPayout extends Payout {
  couponCode: string;
  displayName: string;
}
