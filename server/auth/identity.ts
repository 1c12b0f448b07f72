import type { ApiError } from '../../domain/errors.ts';
import type { Caller } from '../../domain/users/user.ts';

export interface IdentifiedSession {
  hash: string;
  csrfToken: string;
  /** The password was confirmed in the last minutes. */
  isConfirmed: boolean;
  /** The same by a code, or the user had no second factor. */
  isCodeConfirmed: boolean;
}

/** The result of authentication: no credentials, a caller, or invalid credentials. */
export type Identity =
  | { kind: 'anonymous' }
  | {
      kind: 'caller';
      caller: Caller;
      /** When a cookie identified the caller. */
      session?: IdentifiedSession;
      /** When an application password did. */
      appPasswordId?: number;
    }
  | { kind: 'rejected'; error: ApiError };

export const anonymous: Identity = { kind: 'anonymous' };
