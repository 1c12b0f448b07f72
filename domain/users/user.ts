import type { Scope } from '../../generated/operations.ts';

export const roles = ['administrator', 'manager', 'affiliate', 'customer'] as const;
export type Role = (typeof roles)[number];

export interface User {
  id: number;
  login: string;
  email: string;
  displayName: string;
  role: Role;
  /** The direct multi-level parent. */
  parentId: number | null;
  registeredAt: number;
}

/** The affiliate's profile. Missing values are empty. */
export interface Profile {
  phone: string;
  website: string;
  promote: string;
  referrer: string;
}

/** A user as operators see them. */
export interface Account extends Omit<User, 'parentId'> {
  disabledAt: number | null;
}

export type NewUser = Omit<User, 'id' | 'parentId'> & { passwordHash: string | null };

/** Administrators and managers ("plugin administrators") have admin access. */
export const isAdmin = ({ role }: Pick<User, 'role'>): boolean => role === 'administrator' || role === 'manager';

/** A manager cannot edit administrators, so cannot mint or revoke their keys. All users may edit themselves. */
export function canEdit(editor: Pick<User, 'id' | 'role'>, user: Pick<User, 'id' | 'role'>): boolean {
  if (editor.role === 'administrator' || editor.id === user.id) return true;
  return editor.role === 'manager' && user.role !== 'administrator';
}

export const isLogin = (text: string): boolean => /^[A-Za-z0-9._@-]{1,60}$/.test(text);

/** As `eraseUser` names the people that it erases. */
export const isErasedLogin = (login: string): boolean => /^erased-\d+(-\d+)?$/i.test(login);

export const maxEmailLength = 254;

/** Mail can be sent to it: one `@`, a host name with a dot, and no character that has a meaning in a mail header. */
const emailPattern = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:".\p{Cc}]+(\.[^\s@<>()[\]\\,;:".\p{Cc}]+)+$/u;

/** The one rule for e-mail addresses: of applications, of users that the command line or an import creates, and of mail recipients. */
export const isEmailAddress = (text: string): boolean => text.length <= maxEmailLength && emailPattern.test(text);

/** The one rule for websites, which people open: with http(s) or without a scheme. */
export const isWebsite = (text: string): boolean =>
  text === text.trim() && !/[\p{Cc}\u2028\u2029]/u.test(text) && /^(?:https?:\/\/.+|[^:]*)$/i.test(text);

/** Who is calling, and by what. */
export interface Caller {
  user: User;
  method: 'api_key' | 'basic' | 'session';
  keyId: number | null;
  /** Null without a key: passwords and sessions are limited by the user's role alone. */
  scopes: readonly Scope[] | null;
}

export const callerIsAdmin = (caller: Caller): boolean => isAdmin(caller.user);

export const hasScope = (caller: Caller, scope: Scope): boolean => caller.scopes === null || caller.scopes.includes(scope);

/** A password for HTTP Basic. Only its hash is stored. */
export interface AppPassword {
  id: number;
  userId: number;
  name: string;
  hash: string;
  createdAt: number;
  lastUsedAt: number | null;
  /** The last day of the store's calendar on which it works. */
  expiresDay: string | null;
}

export type NewAppPassword = Pick<AppPassword, 'userId' | 'name' | 'hash' | 'createdAt'> & Partial<Pick<AppPassword, 'expiresDay'>>;
