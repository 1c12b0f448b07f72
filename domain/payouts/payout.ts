import type { Minor } from '../money.ts';
import type { MethodType } from '../payout-details/payout-details.ts';

export type PayoutStatus = 'pending' | 'created' | 'processing' | 'paid' | 'cancel' | 'failed';

/** Commission that is to leave the program. Its amount is fixed by the request; its status says in which pool it lies. */
export interface Payout {
  id: number;
  /** The affiliate of the coupon when it was requested, who stays the payee. */
  userId: number;
  couponId: number;
  amount: Minor;
  /** The label and kind of the method that was saved then. Empty when there was none. */
  method: string;
  methodType: MethodType | '';
  hasDetails: boolean;
  status: PayoutStatus;
  transactionId: string;
  invoiceId: number;
  requestedAt: number;
  /** The store's day of the request, which lists and counts go by. */
  day: string;
  /** Null unless it is paid. */
  paidAt: number | null;
  paidDay: string | null;
}

export type NewPayout = Omit<Payout, 'id'>;

/** A payout with the names that its ids stand for. */
export interface NamedPayout extends Payout {
  couponCode: string;
  displayName: string;
}
