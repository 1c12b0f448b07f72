import type { Minor } from '../../money.ts';
import type { BankDestination, PayoutDestination } from '../../payout-details/destination.ts';

/** One payout in a file. */
export interface FilePayment<To = PayoutDestination | null> {
  payoutId: number;
  userId: number;
  /** The display name of the affiliate. */
  payee: string;
  couponCode: string;
  amount: Minor;
  method: string;
  methodType: string;
  /** Null for kinds whose details are free. */
  destination: To;
  /** As they are stored. */
  details: Readonly<Record<string, unknown>>;
}

export type BankPayment = FilePayment<BankDestination>;

/** The account that a SEPA file pays from. */
export interface Payer {
  name: string;
  iban: string;
  /** Empty if it was not set. */
  bic: string;
  town: string;
  country: string;
}

export interface FileContext {
  batchId: number;
  storeName: string;
  currency: string;
  payer: Payer;
  /** When the batch was created. */
  now: number;
  /** The same in the store's calendar. */
  day: string;
}

/** What a written file says it pays. */
export interface FileFigures {
  count: number;
  total: Minor;
}

/** For payees and support: what the payment is for. */
export const describePayment = ({ payoutId, couponCode }: FilePayment<unknown>, { storeName }: FileContext): string =>
  `${storeName} payout ${payoutId} ${couponCode}`;
