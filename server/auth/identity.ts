import type { ApiError } from '../../domain/errors.ts';
import type { Caller } from '../../domain/users/user.ts';

/** The result of authentication: no credentials, a caller, or invalid credentials. */
export type Identity =
  | { kind: 'anonymous' }
  | { kind: 'caller'; caller: Caller /** Of the session, when a cookie identified the caller. */; csrfToken?: string }
  | { kind: 'rejected'; error: ApiError };

export const anonymous: Identity = { kind: 'anonymous' };
