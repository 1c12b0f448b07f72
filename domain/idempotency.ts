import { ApiError } from './errors.ts';
import type { Transaction } from './unit-of-work.ts';

/** Whose key it is, and for what. The same key of another user, or of another operation, is another key. */
export interface KeyUse {
  userId: number;
  operation: string;
  key: string;
}

export interface FirstUse {
  /** The canonical form of the request. */
  request: string;
  answer: unknown;
}

export interface IdempotencyRepository {
  /** Null when the key was not used since then. */
  find(use: KeyUse, since: number): Promise<FirstUse | null>;
  /** False when the key was used since then. */
  insert(use: KeyUse, first: FirstUse, moment: { now: number; since: number }): Promise<boolean>;
  /** Replaces the stored answer, after a gateway has decided. */
  updateAnswer(use: KeyUse, answer: unknown): Promise<void>;
}

const retentionMs = 24 * 60 * 60 * 1000;

/** The answer that this key got before; null when it has none. */
export async function findStoredResponse(
  { idempotency }: { idempotency: IdempotencyRepository },
  use: KeyUse,
  request: string,
  now: number,
): Promise<unknown> {
  const first = await idempotency.find(use, now - retentionMs);
  if (first && first.request !== request) throw new ApiError('svc_api_idempotency_mismatch');
  return first?.answer ?? null;
}

/** False when the key has an answer already: another request with it was quicker. */
export const storeResponse = (
  { idempotency }: Transaction<{ idempotency: IdempotencyRepository }>,
  use: KeyUse,
  first: { request: string; answer: unknown },
  now: number,
): Promise<boolean> => idempotency.insert(use, first, { now, since: now - retentionMs });

export const updateResponse = (
  { idempotency }: Transaction<{ idempotency: IdempotencyRepository }>,
  use: KeyUse,
  answer: unknown,
): Promise<void> => idempotency.updateAnswer(use, answer);
