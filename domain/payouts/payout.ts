import { type Transition, transitions } from '../../generated/transitions.ts';
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
  /** Label and kind of the saved method. Empty if there was none. They follow the payee's details while the payout is pending. */
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

/** Without an id it gets the next one. */
export type NewPayout = Omit<Payout, 'id'> & Partial<Pick<Payout, 'id'>>;

export interface NamedPayout extends Payout {
  couponCode: string;
  /** Of the payee. */
  displayName: string;
  email: string;
}

export type PayoutTransition = Transition<'PayoutStatus'>;
type Actor = PayoutTransition['by'];

const { rows, internal } = transitions.PayoutStatus;

/** The statuses of the API; internal ones are shown as another. */
export type PublicStatus = Exclude<PayoutStatus, keyof typeof internal>;

/** Looks up the contract's state table. `from` is null for a request. */
export const findTransition = (from: PayoutStatus | null, to: PayoutStatus, by: Actor): PayoutTransition | undefined =>
  rows.find((row) => row.from === from && row.to === to && row.by === by);

export const publicStatus = (status: PayoutStatus): PublicStatus =>
  status === 'processing' || status === 'failed' ? internal[status].reads : status;

/** Statuses that occupy the coupon's slot for one open request. */
export const openStatuses: readonly PayoutStatus[] = [...new Set(rows.filter((row) => needs(row, 'free_slot')).map(({ to }) => to))];

export function needs({ requires }: PayoutTransition, requirement: 'free_slot' | 'unpaid_holds_amount'): boolean {
  return (requires as readonly string[]).includes(requirement);
}
