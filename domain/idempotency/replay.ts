import { ApiError } from '../errors.ts';
import type { Repositories } from '../repositories.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { KeyUse } from './repository.ts';

const retentionMs = 24 * 60 * 60 * 1000;

/** The answer that this key got before; null when it has none. */
export async function findStoredResponse({ idempotency }: Repositories, use: KeyUse, request: string, now: number): Promise<unknown> {
  const first = await idempotency.find(use, now - retentionMs);
  if (first && first.request !== request) throw new ApiError('svc_api_idempotency_mismatch');
  return first?.answer ?? null;
}

/** False when the key has an answer already: another request with it was quicker. */
export const storeResponse = (
  { idempotency }: Transaction<Repositories>,
  use: KeyUse,
  first: { request: string; answer: unknown },
  now: number,
): Promise<boolean> => idempotency.insert(use, first, { now, since: now - retentionMs });

export const updateResponse = ({ idempotency }: Transaction<Repositories>, use: KeyUse, answer: unknown): Promise<void> =>
  idempotency.updateAnswer(use, answer);
