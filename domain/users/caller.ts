import type { Scope } from '../../generated/operations.ts';
import { isAdmin, type User } from './user.ts';

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
