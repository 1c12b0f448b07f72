import type { Role } from './user.ts';

/** What a caller was identified by, and the role at that time. At most one of the last three is set. */
export interface HeldCredential {
  userId: number;
  role: Role;
  keyId: number | null;
  appPasswordId: number | null;
  sessionHash: string | null;
}

export interface CredentialRepository {
  /**
   * The places of those that would not be accepted any more: revoked, expired or removed, or the user is disabled or has another role. `today`
   * is the store's.
   */
  findWithdrawn(credentials: readonly HeldCredential[], now: number, today: string): Promise<number[]>;
}
