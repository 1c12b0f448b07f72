import { ApiError } from './errors.ts';
import type { Transaction } from './unit-of-work.ts';

/** Whose key it is, and for what. The same key of another user, or of another operation, is another key. */
export interface KeyUse {
  userId: number;
  operation: string;
  key: string;
}

/** A use of a key, and the request that it was used for, in its canonical form. */
export interface RequestKey extends KeyUse {
  request: string;
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

const underWay = 'Another request with this Idempotency-Key is under way. Send it again to get its answer.';
const retentionMs = 24 * 60 * 60 * 1000;

/** The answer that this key got before; null when it has none. */
export async function findStoredResponse(
  { idempotency }: { idempotency: IdempotencyRepository },
  { request, ...use }: RequestKey,
  now: number,
): Promise<unknown> {
  const first = await idempotency.find(use, now - retentionMs);
  if (first && first.request !== request) throw new ApiError('svc_api_idempotency_mismatch');
  return first?.answer ?? null;
}

/** @throws svc_api_in_progress when another request with this key is under way or was answered in the meantime. */
export async function storeFirstResponse(
  { idempotency }: Transaction<{ idempotency: IdempotencyRepository }>,
  { request, ...use }: RequestKey,
  answer: unknown,
  now: number,
): Promise<void> {
  const isFirst = await idempotency.insert(use, { request, answer }, { now, since: now - retentionMs });
  if (!isFirst) throw new ApiError('svc_api_in_progress', { message: underWay });
}

export const updateResponse = (
  { idempotency }: Transaction<{ idempotency: IdempotencyRepository }>,
  { request: _request, ...use }: RequestKey,
  answer: unknown,
): Promise<void> => idempotency.updateAnswer(use, answer);
