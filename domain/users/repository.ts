import type { Profile } from '../affiliates/affiliate.ts';
import type { User } from './user.ts';

/** All that is kept of a user but secrets and the place in the tree. */
export interface UserRecord extends Omit<User, 'id' | 'parentId'> {
  profile: Partial<Profile>;
  groups: string[];
  customFields: Record<string, unknown>;
}

export interface UserRecordRepository {
  /** By the login alone, ignoring case: never by an email. */
  byLogin(login: string): Promise<(UserRecord & Pick<User, 'id'>) | null>;
  insert(user: UserRecord, id: number | null): Promise<number>;
  change(id: number, user: UserRecord): Promise<void>;
}

/** An ancestor of a user: tier 1 is the direct parent. */
export interface Ancestor {
  userId: number;
  tier: number;
  ancestorId: number;
}

/** Users in their part in the program: who recruited whom, and who is an affiliate. */
export interface ProgramUserRepository {
  /** The ancestors of these users, up to `tiers` of them. A cycle ends where it closes. */
  above(userIds: readonly number[], tiers: number): Promise<Ancestor[]>;
  setParent(userId: number, parentId: number | null): Promise<void>;
  /** Whether a coupon was taken from the user. */
  hadCoupon(userId: number): Promise<boolean>;
  /** Customers become affiliates; other roles stay what they are. */
  makeAffiliate(userId: number): Promise<void>;
}
