import { createHash } from 'node:crypto';
import type { SecureRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';

/**
 * `set-password` and `reset-password` lead to the same page: the first is an invitation, the second was asked for by its user.
 * `second-factor` is between the two pages of a sign-in. `used-setup` is the token of a setup that has succeeded.
 */
export type TokenPurpose = 'setup' | 'used-setup' | 'confirm-application' | 'set-password' | 'reset-password' | 'second-factor';

/** The secret of a link, stored as its hash. Opening the link changes nothing; the form on its page uses the token up. */
export interface OneTimeToken {
  hash: string;
  purpose: TokenPurpose;
  userId: number | null;
  /** What the token was issued for. */
  data: Record<string, unknown>;
  createdAt: number;
  /** Null: valid until it is used or removed. */
  expiresAt: number | null;
}

export interface OneTimeTokenRepository {
  byHash(hash: string): Promise<OneTimeToken | null>;
  insert(token: OneTimeToken): Promise<void>;
  /** Of concurrent calls for one token, one returns true. */
  remove(hash: string): Promise<boolean>;
  removeBy(filter: Partial<Pick<OneTimeToken, 'purpose' | 'userId'>>): Promise<void>;
  removeExpired(now: number): Promise<void>;
}

interface Tokens {
  oneTimeTokens: OneTimeTokenRepository;
}

export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

export interface TokenRequest extends Pick<OneTimeToken, 'purpose'> {
  userId?: number;
  data?: Record<string, unknown>;
  /** Without it, the token does not expire. */
  lifetimeMs?: number;
}

/** Returns a token of 256 random bits. */
export async function issueToken(
  { oneTimeTokens }: Transaction<Tokens>,
  { purpose, userId, data = {}, lifetimeMs }: TokenRequest,
  now: number,
  random: SecureRandom,
): Promise<string> {
  const token = random.bytes(32).toString('base64url');
  await oneTimeTokens.removeExpired(now);
  await oneTimeTokens.insert({
    hash: tokenHash(token),
    purpose,
    userId: userId ?? null,
    data,
    createdAt: now,
    expiresAt: lifetimeMs === undefined ? null : now + lifetimeMs,
  });
  return token;
}

/** Null if the token is unknown, expired, or of another purpose. */
export async function findToken(
  { oneTimeTokens }: Tokens,
  token: string,
  purposes: readonly TokenPurpose[],
  now: number,
): Promise<OneTimeToken | null> {
  const found = await oneTimeTokens.byHash(tokenHash(token));
  return found && purposes.includes(found.purpose) && (found.expiresAt ?? Number.POSITIVE_INFINITY) > now ? found : null;
}

/** Uses the token up. Null as `findToken`, and when another request has used it. */
export async function redeemToken(
  transaction: Transaction<Tokens>,
  token: string,
  purposes: readonly TokenPurpose[],
  now: number,
): Promise<OneTimeToken | null> {
  const found = await findToken(transaction, token, purposes, now);
  return found && (await transaction.oneTimeTokens.remove(found.hash)) ? found : null;
}
