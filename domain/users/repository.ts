import type { Account, AppPassword, NewAppPassword, NewUser, Profile, User } from './user.ts';

/** Logins and emails are unique and compared ignoring case. That no login is another user's email, domain/users/names.ts ensures. */
export interface UserRepository {
  byId(id: number): Promise<User | null>;
  byIds(ids: number[]): Promise<User[]>;
  byLoginOrEmail(name: string): Promise<User | null>;
  /** The users whose login or email is one of these names. */
  named(names: readonly string[]): Promise<User[]>;
  /** For authentication, in one statement. Null for an unknown or disabled user. */
  withCredentials(loginOrEmail: string): Promise<UserCredentials | null>;
  /** Null without a password, and for a disabled user. */
  passwordHashOf(id: number): Promise<string | null>;
  /** Also of a disabled user. */
  hasPassword(id: number): Promise<boolean>;
  /** Whether an application by `/apply` was accepted. */
  joinedOnline(id: number): Promise<boolean>;
  /** Null if no record of the store changed it. */
  emailChangedAt(id: number): Promise<number | null>;
  setPasswordHash(id: number, hash: string): Promise<void>;
  /** Returns the id, or null when login or email is taken. */
  insert(user: NewUser): Promise<number | null>;
  /** Disabled ones count. */
  hasAdministrator(): Promise<boolean>;
  /** Without disabled users, as `admins`. */
  countByRole(role: User['role']): Promise<number>;
  /** Administrators and managers, oldest first. */
  admins(): Promise<User[]>;
  /** All users, by id. */
  accounts(): Promise<Account[]>;
  isDisabled(id: number): Promise<boolean>;
  /** Null enables the user. False when nothing changes. */
  setDisabledAt(id: number, at: number | null): Promise<boolean>;
}

export interface UserCredentials {
  user: User;
  passwordHash: string | null;
  appPasswords: AppPassword[];
}

export interface AppPasswordRepository {
  /** Oldest first. */
  ofUser(userId: number): Promise<AppPassword[]>;
  insert(password: NewAppPassword): Promise<number>;
  remove(id: number): Promise<void>;
  /** As `touch` of `KeyRepository`. */
  touch(ids: readonly number[], at: number, unlessSince: number): Promise<void>;
}

/** All that is kept of a user but secrets and the place in the tree. */
export interface UserRecord extends Omit<User, 'id' | 'parentId'> {
  profile: Partial<Profile>;
  groups: string[];
  customFields: Record<string, unknown>;
}

export interface UserRecordRepository {
  /** By the login alone, ignoring case: never by an email. */
  byLogin(login: string): Promise<(UserRecord & Pick<User, 'id'>) | null>;
  insert(user: UserRecord, id: number | null, disabledAt: number | null): Promise<number>;
  change(id: number, user: UserRecord, change?: { emailChangedAt: number }): Promise<void>;
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
