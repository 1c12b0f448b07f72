import { scrypt, timingSafeEqual } from 'node:crypto';
import type { SecureRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { OneTimeTokenRepository } from './one-time-token.ts';
import type { UserRepository } from './repository.ts';
import type { SessionRepository } from './session.ts';

/** What a person chose can be guessed, so guessing is made slow and costly in memory: 32 MiB for each try. Only tests change it. */
export const passwordCost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

const deriveNow = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, passwordCost, (error, key) => (error ? reject(error) : resolve(key)));
  });

let last: Promise<unknown> = Promise.resolve();

/** Sequential: Node has four threads, and password guesses must not take them from database reads. Callers bound how many wait. */
function derive(password: string, salt: Buffer): Promise<Buffer> {
  const derived = last.then(() => deriveNow(password, salt));
  last = derived.catch(() => {});
  return derived;
}

/** `scrypt$<salt>$<key>`, both in base64. */
export async function hashPassword(password: string, random: SecureRandom): Promise<string> {
  const salt = random.bytes(16);
  return ['scrypt', salt.toString('base64'), (await derive(password, salt)).toString('base64')].join('$');
}

const dummyHash = `scrypt$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`;

/** Takes as long for an unknown user (null) as for a wrong password. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [, salt = '', key = ''] = (hash ?? dummyHash).split('$');
  const derived = await derive(password, Buffer.from(salt, 'base64'));
  return timingSafeEqual(derived, Buffer.from(key, 'base64')) && hash !== null;
}

interface PasswordRepositories {
  users: UserRepository;
  sessions: SessionRepository;
  oneTimeTokens: OneTimeTokenRepository;
}

/** Ends the user's sessions and links. Keys and application passwords stay valid. */
export async function setPassword(
  { users, sessions, oneTimeTokens }: Transaction<PasswordRepositories>,
  userId: number,
  passwordHash: string,
): Promise<void> {
  await users.setPasswordHash(userId, passwordHash);
  await sessions.removeOf(userId);
  await oneTimeTokens.removeBy({ userId });
}
