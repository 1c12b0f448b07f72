import { createHash } from 'node:crypto';
import type { SecureRandom } from '../random.ts';
import type { Transaction, UnitOfWork } from '../unit-of-work.ts';
import { verifyPassword } from './password.ts';
import type { UserRepository } from './repository.ts';
import type { Session, SessionRepository } from './session.ts';
import type { User } from './user.ts';

const lifetimeMilliseconds = 12 * 60 * 60 * 1000;

export const sessionHash = (cookie: string): string => createHash('sha256').update(cookie).digest('hex');

/** The user whose login or email and password these are, or null. Unknown users take as long as wrong passwords. */
export async function userByPassword(
  storage: UnitOfWork<{ users: UserRepository }>,
  name: string,
  password: string,
): Promise<VerifiedUser | null> {
  const found = await storage.query(({ users }) => users.withCredentials(name));
  const passwordHash = found?.passwordHash ?? null;
  // Outside of the query: it takes a while, and no connection should wait for it.
  const isRight = await verifyPassword(password, passwordHash);
  return isRight && found && passwordHash !== null ? { user: found.user, passwordHash } : null;
}

/** The session of a cookie and its user; null when it has ended. */
export async function findSession(
  storage: UnitOfWork<{ sessions: SessionRepository }>,
  cookie: string,
  now: number,
): Promise<{ session: Session; user: User } | null> {
  const found = await storage.query(({ sessions }) => sessions.withUserByHash(sessionHash(cookie)));
  return found?.user && found.session.expiresAt > now ? { session: found.session, user: found.user } : null;
}

/** A user whose password was verified, with its hash at that time. */
export interface VerifiedUser {
  user: User;
  passwordHash: string;
}

/**
 * Starts a session under a fresh secret, so that one planted before signing in is worth nothing. Null if the password was changed or the user
 * disabled since the password was verified: their sessions are ended already.
 */
export async function startSession(
  { users, sessions }: Transaction<{ users: UserRepository; sessions: SessionRepository }>,
  { user, passwordHash }: VerifiedUser,
  now: number,
  random: SecureRandom,
): Promise<{ cookie: string; session: Session } | null> {
  if ((await users.passwordHashOf(user.id)) !== passwordHash) return null;
  const cookie = random.bytes(32).toString('base64url');
  const csrfToken = random.bytes(32).toString('base64url');
  const session = {
    hash: sessionHash(cookie),
    userId: user.id,
    csrfToken,
    createdAt: now,
    expiresAt: now + lifetimeMilliseconds,
    confirmedUntil: null,
  };
  await sessions.removeExpired(now);
  await sessions.insert(session);
  return { cookie, session };
}
