import { hash } from 'node:crypto';
import { ApiError } from './errors.ts';
import type { SecureRandom } from './random.ts';
import type { Transaction } from './unit-of-work.ts';

/** What a caller confirms: this request with this outcome. */
export interface ConfirmedRequest {
  userId: number;
  keyId: number;
  /** A hash of the tool, its input and the outcome that was shown. */
  request: string;
}

export interface ConfirmationRepository {
  insert(confirmation: ConfirmedRequest & { hash: string; expiresAt: number }): Promise<void>;
  /** Marks it as used. False if it does not exist, belongs to another request, has expired or was used. */
  use(tokenHash: string, request: ConfirmedRequest, now: number): Promise<boolean>;
  /** Makes it usable again. */
  release(tokenHash: string): Promise<void>;
  deleteExpired(now: number): Promise<void>;
}

interface Confirmations {
  confirmations: ConfirmationRepository;
}

const lifetimeMs = 10 * 60 * 1000;

/** Returns a token that confirms the request once, within ten minutes. */
export async function createConfirmation(
  { confirmations }: Transaction<Confirmations>,
  request: ConfirmedRequest,
  { now, random }: { now: number; random: SecureRandom },
): Promise<string> {
  const token = random.bytes(16).toString('hex');
  // The table stays as small as ten minutes of previews.
  await confirmations.deleteExpired(now);
  await confirmations.insert({ ...request, hash: hashOf(token), expiresAt: now + lifetimeMs });
  return token;
}

/** @throws svc_api_conflict unless the token was given out for exactly this. */
export async function useConfirmation(
  { confirmations }: Transaction<Confirmations>,
  token: string,
  request: ConfirmedRequest,
  now: number,
): Promise<void> {
  if (!(await confirmations.use(hashOf(token), request, now))) throw new ApiError('svc_api_conflict', { message: notConfirmed });
}

/** For a request that was refused after all. */
export const releaseConfirmation = ({ confirmations }: Transaction<Confirmations>, token: string): Promise<void> =>
  confirmations.release(hashOf(token));

const notConfirmed =
  'Nothing was changed. The confirmation is not valid for this call: it was used, is older than 10 minutes, or the arguments or the outcome differ from what was shown.';

const hashOf = (token: string): string => hash('sha256', token);
