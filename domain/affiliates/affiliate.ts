import type { Page, Paged } from '../page.ts';
import type { Caller, Profile, User } from '../users/user.ts';

/** With what lists of affiliates show. */
export interface AffiliateUser extends User {
  /** Null while the account is active. */
  disabledAt: number | null;
}

/** A user with the role `affiliate`, or who has or had a coupon. */
export interface Affiliate extends AffiliateUser {
  profile: Profile;
  groups: string[];
  customFields: Record<string, unknown>;
}

export interface AffiliateFilter {
  /** Looked for in login, email and display name, ignoring case. */
  search?: string | undefined;
  /** Whether the search covers the codes of the affiliate's coupons, too. */
  searchesCodes: boolean;
  /** `published`: users with at least one published coupon. `any`: all affiliates. */
  coupons: 'published' | 'any';
  /** All by default. */
  status?: 'active' | 'disabled' | undefined;
}

export interface AffiliateOrder {
  by: 'id' | 'display_name' | 'unpaid_commission' | 'date_registered';
  direction: 'asc' | 'desc';
}

export interface AffiliateRepository {
  page(filter: AffiliateFilter, order: AffiliateOrder, page: Page): Promise<Paged<AffiliateUser>>;
  /** For admins and the affiliate. Null for other callers, as for a missing affiliate, by the same query. */
  visibleTo(caller: Caller, id: number): Promise<Affiliate | null>;
}
