import type { User } from './user.ts';

/** A signed-in browser. Of the cookie's value only the hash is kept. */
export interface Session {
  hash: string;
  userId: number;
  csrfToken: string;
  createdAt: number;
  expiresAt: number;
  /** The password was confirmed in this session, for operations that ask for it until then. */
  confirmedUntil: number | null;
  /** The same by a code, where the user has a second factor. */
  codeConfirmedUntil: number | null;
  /** In words, such as "Firefox on Windows". */
  device: string;
  /** Of the sign-in, shortened. */
  address: string;
  lastUsedAt: number;
}

export interface SessionRepository {
  byHash(hash: string): Promise<Session | null>;
  /** The session with its user, in one statement. */
  withUserByHash(hash: string): Promise<{ session: Session; user: User | null } | null>;
  insert(session: Session): Promise<void>;
  /** False if the session has ended. */
  confirm(hash: string, confirmed: Partial<Pick<Session, 'confirmedUntil' | 'codeConfirmedUntil'>>): Promise<boolean>;
  remove(hash: string): Promise<void>;
  /** Those of the user that have not ended, the last one that was used first. */
  ofUser(userId: number, now: number): Promise<Session[]>;
  /** Signs the user out everywhere, or everywhere but in one session. */
  removeOf(userId: number, exceptHash?: string): Promise<void>;
  /** As `touch` of `KeyRepository`. */
  touch(hashes: readonly string[], at: number, unlessSince: number): Promise<void>;
  removeExpired(now: number): Promise<void>;
}
