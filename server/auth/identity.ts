import type { ApiError } from '../../domain/errors.ts';
import type { Caller } from '../../domain/users/caller.ts';

/** What became of the credentials of a request: none were sent, they name a caller, they were refused, or not looked at any more. */
export type Identity =
  | { kind: 'anonymous' }
  | { kind: 'caller'; caller: Caller /** Of the session, when a cookie identified the caller. */; csrfToken?: string }
  | { kind: 'refused'; error: ApiError }
  | { kind: 'locked_out'; error: ApiError };

export const anonymous: Identity = { kind: 'anonymous' };
