import type { Page, Paged } from '../page.ts';
import type { Caller } from '../users/user.ts';
import type { AffiliateBalances, Coupon, CouponDetails, CouponStatus, CouponTotals, CouponWithTerms } from './coupon.ts';
import type { CouponTerms } from './terms.ts';

export interface CouponFilter {
  status: CouponStatus;
  /** Null for coupons without an affiliate. */
  userId?: number | null;
  /** Looked for in the code, ignoring case. */
  search?: string;
  /** Whether the search covers login, email and display name of the affiliate, too. */
  searchesUsers?: boolean;
}

export interface CouponOrder {
  by: 'id' | 'code' | 'unpaid_commission' | 'date_created';
  direction: 'asc' | 'desc';
}

export interface CouponRepository {
  /** At most so many coupons of each user, newest first. */
  newestOf(userIds: readonly number[], limit: number): Promise<Coupon[]>;
  /** Of all coupons of each user together, also of users without one. */
  balancesOf(userIds: readonly number[], options: { withSources: boolean }): Promise<Map<number, AffiliateBalances>>;
  /**
   * Visible to admins, to the owner and, with `upline`, to the affiliates above the owner. Null for all others, as for a coupon that does not
   * exist. Each method is one statement.
   */
  visibleTo(caller: Caller, id: number, levels?: { upline: boolean }): Promise<CouponWithTerms | null>;
  totalsVisibleTo(caller: Caller, id: number, levels: { upline: boolean }): Promise<CouponTotals | null>;
  detailsVisibleTo(caller: Caller, id: number, levels: { upline: boolean }, withSources: boolean): Promise<CouponDetails | null>;
  /** Coupons with an affiliate, unless the filter says otherwise. */
  page(filter: CouponFilter, order: CouponOrder, page: Page): Promise<Paged<Coupon>>;
  /** Whether any amount is stored, in an order, a payout, the ledger or a coupon: the store's currency is fixed from then on. */
  anyMoney(): Promise<boolean>;
}

export interface CouponRecordRepository {
  /** Whatever their status, oldest first. */
  byCode(foldedCode: string): Promise<CouponTerms[]>;
  /** Everything but whose it is. */
  change(coupon: CouponTerms): Promise<void>;
}
