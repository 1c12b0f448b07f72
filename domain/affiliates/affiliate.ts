import type { User } from '../users/user.ts';

/** The affiliate's profile. Missing values are empty. */
export interface Profile {
  phone: string;
  website: string;
  promote: string;
  referrer: string;
}

/** A user with at least one coupon. */
export interface Affiliate extends User {
  profile: Profile;
  groups: string[];
  customFields: Record<string, unknown>;
}
