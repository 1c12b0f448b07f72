import type { Coupon, CouponWithTerms } from '../coupons/coupon.ts';
import type { DayRange } from '../dates.ts';
import type { TopFindings, WrongCount } from '../ledger/checks.ts';
import type { Minor } from '../money.ts';
import type { Page, Paged } from '../page.ts';
import type { MethodType, PayoutDetails } from '../payout-details/payout-details.ts';
import type { Caller, User } from '../users/user.ts';
import type { NamedPayout, NewPayout, Payout, PublicStatus } from './payout.ts';

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

export interface PayoutFigures {
  /** Open requests now, regardless of the range. */
  pendingCount: number;
  pendingAmount: Minor;
  /** Settled in the range. */
  paidCount: number;
  paidAmount: Minor;
}

export interface RequestableCoupon {
  coupon: CouponWithTerms;
  owner: User | null;
  /** The owner's saved payout details. */
  details: PayoutDetails | null;
  /** The open request. */
  open: NamedPayout | null;
  /** The owner's unused invoice that a payout would take. 0 when there is none. */
  invoiceId: number;
}

/** Null applies no such condition. */
export interface PayableFilter {
  minAmount: Minor | null;
  /** The owner's saved method. */
  methodType: MethodType | null;
  couponIds: readonly number[] | null;
  /** Only higher ids. */
  after: number;
}

export type PayoutMethod = Pick<Payout, 'method' | 'methodType' | 'hasDetails'>;

export interface PayoutDoubts {
  couponId: number;
  /** The unpaid commission of the affiliate over all coupons. Below zero it is a debt. */
  unpaidOfPayee: Minor;
  /** The coupon's last payout if its payment failed. */
  failedPayoutId: number | null;
  /** The affiliate, if disabled. */
  disabledPayeeId: number | null;
}

export interface PayoutRepository {
  byId(id: number): Promise<NamedPayout | null>;
  /** Visible to admins and the payee. Null for all others, as for a payout that does not exist. */
  visibleTo(caller: Caller, id: number): Promise<NamedPayout | null>;
  page(filter: PayoutFilter, order: PayoutOrder, page: Page): Promise<Paged<NamedPayout>>;
  /** What a request for a coupon's balance depends on, in one statement. Null where the caller is neither an admin nor the owner. */
  requestableBy(caller: Caller, couponId: number): Promise<RequestableCoupon | null>;
  /** At most so many coupons with unpaid commission, by id, and how many there are. */
  payable(filter: PayableFilter, limit: number): Promise<Paged<Coupon>>;
  /** What speaks against paying these coupons without a look. */
  doubtsAbout(couponIds: readonly number[]): Promise<PayoutDoubts[]>;
  /** The coupon's open request. */
  openOf(couponId: number): Promise<NamedPayout | null>;
  /** Payouts with an unfinished gateway call, oldest first. */
  processing(): Promise<NamedPayout[]>;
  /** Locks the coupon until the end of the transaction. False while another process holds the lock. */
  claim(couponId: number): Promise<boolean>;
  /** Returns the id, or null if the coupon has an open request: the transaction must be rolled back then. */
  insert(payout: NewPayout): Promise<number | null>;
  /** Conditional update. False if the payout changed since `before` was read: the transaction must be rolled back then. */
  move(before: Payout, after: Payout): Promise<boolean>;
  /** Of the user's pending payouts. */
  setPendingMethod(userId: number, method: PayoutMethod): Promise<void>;
  figures(range: DayRange): Promise<PayoutFigures>;
  wrongCounts(limit: number): Promise<TopFindings<WrongCount>>;
}
