import { createHash } from 'node:crypto';
import type { Session, Transaction, UnitOfWork } from '../ports.ts';
import type { SecureRandom } from '../random.ts';
import { verifyPassword } from '../users/password.ts';
import type { User } from '../users/user.ts';

const lifetimeMilliseconds = 12 * 60 * 60 * 1000;

export const sessionHash = (cookie: string): string => createHash('sha256').update(cookie).digest('hex');

/** The user whose login or email and password these are, or null. Unknown users take as long as wrong passwords. */
export async function userByPassword(storage: UnitOfWork, name: string, password: string): Promise<User | null> {
  const found = await storage.read(async ({ users }) => {
    const user = await users.byLoginOrEmail(name);
    return { user, hash: user ? await users.passwordHashOf(user.id) : null };
  });
  // Outside of the read: it takes a while, and no connection should wait for it.
  return (await verifyPassword(password, found.hash)) ? found.user : null;
}

/** The session of a cookie and its user; null when it has ended. */
export async function findSession(storage: UnitOfWork, cookie: string, now: number): Promise<{ session: Session; user: User } | null> {
  const found = await storage.query(({ sessions }) => sessions.withUserByHash(sessionHash(cookie)));
  return found?.user && found.session.expiresAt > now ? { session: found.session, user: found.user } : null;
}

/** Starts a session under a fresh secret, so that one planted before signing in is worth nothing. */
export async function startSession(
  { sessions }: Transaction,
  user: User,
  now: number,
  random: SecureRandom,
): Promise<{ cookie: string; session: Session }> {
  const cookie = random.bytes(32).toString('base64url');
  const csrfToken = random.bytes(32).toString('base64url');
  const session = { hash: sessionHash(cookie), userId: user.id, csrfToken, createdAt: now, expiresAt: now + lifetimeMilliseconds };
  await sessions.removeExpired(now);
  await sessions.insert(session);
  return { cookie, session };
}
