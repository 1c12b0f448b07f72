import { scrypt, timingSafeEqual } from 'node:crypto';
import type { SecureRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { OneTimeTokenRepository } from './one-time-token.ts';
import type { UserRepository } from './repository.ts';
import type { SessionRepository } from './session.ts';

interface ScryptCost {
  N: number;
  r: number;
  p: number;
}

/**
 * What a person chose can be guessed, so guessing is made slow and costly in memory: 32 MiB for each try, the least that OWASP recommends. Only
 * tests change it.
 */
export const passwordCost: ScryptCost = { N: 2 ** 15, r: 8, p: 3 };

/** Of hashes without parameters. */
const formerCost: ScryptCost = { N: 2 ** 15, r: 8, p: 1 };

const deriveNow = (password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: 64 * 1024 * 1024 };
    scrypt(password.normalize('NFKC'), salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
  });

let last: Promise<unknown> = Promise.resolve();

/** Sequential: Node has four threads, and password guesses must not take them from database reads. Callers bound how many wait. */
function derive(password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
  const derived = last.then(async () => {
    const key = await deriveNow(password, salt, cost);
    // As long as a hash of today: the time does not reveal which accounts are old.
    const missing = passwordCost.p - cost.p;
    if (missing > 0) await deriveNow(password, salt, { ...cost, p: missing });
    return key;
  });
  last = derived.catch(() => {});
  return derived;
}

const formatCost = ({ N, r, p }: ScryptCost): string => `N=${N},r=${r},p=${p}`;

/** `scrypt$N=…,r=…,p=…$<salt>$<key>`, both in base64. */
export async function hashPassword(password: string, random: SecureRandom): Promise<string> {
  const salt = random.bytes(16);
  const key = await derive(password, salt, passwordCost);
  return ['scrypt', formatCost(passwordCost), salt.toString('base64'), key.toString('base64')].join('$');
}

const dummyHash = `$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`;

/** Whether the hash was made at another cost than those of today. */
export const isOutdatedHash = (hash: string): boolean => !hash.startsWith(`scrypt$${formatCost(passwordCost)}$`);

function parseHash(hash: string): { cost: ScryptCost; salt: Buffer; key: Buffer } {
  const [key = '', salt = '', parameters = ''] = hash.split('$').toReversed();
  const [N, r, p] = (/^N=(\d+),r=(\d+),p=(\d+)$/.exec(parameters) ?? []).slice(1).map(Number);
  const cost = N && r && p ? { N, r, p } : formerCost;
  return { cost, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') };
}

/** Takes as long for an unknown user (null) as for a wrong password. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const { cost, salt, key } = parseHash(hash ?? formatCost(passwordCost) + dummyHash);
  const derived = await derive(password, salt, cost);
  return timingSafeEqual(derived, key) && hash !== null;
}

/** Replaces the hash by one at the cost of today, unless the password was changed meanwhile. Ends nothing. */
export async function replaceOutdatedHash(
  { users }: Transaction<{ users: UserRepository }>,
  userId: number,
  { former, renewed }: { former: string; renewed: string },
): Promise<void> {
  if ((await users.passwordHashOf(userId)) === former) await users.setPasswordHash(userId, renewed);
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
