import { setTimeout } from 'node:timers/promises';
import { errorCode } from '../database-error.ts';
import type { Semaphore } from './semaphore.ts';

const maxAttempts = 12;
const maxBackoffMs = 100;

/** serialization_failure and deadlock_detected: another transaction succeeded, so a retry makes progress. */
const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(errorCode(error) ?? '');

/**
 * Runs the first attempt concurrently with others and retries exclusively: where many transactions write the same row, concurrent retries
 * would let one through and fail the rest each time. First attempts of other processes still run, so a retry may fail too.
 */
export async function retrySerialization<Result>(
  semaphore: Semaphore,
  work: (attempt: 'concurrent' | 'exclusive') => Promise<Result>,
  onRetry: () => void,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (attempt === 1) return await semaphore.use(1, () => work('concurrent'));
      return await semaphore.use(semaphore.total, () => work('exclusive'));
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error)) throw error;
    }
    onRetry();
    // Random, so that conflicting processes do not conflict again.
    if (attempt > 1) await setTimeout(Math.random() * Math.min(maxBackoffMs, 2 ** attempt));
  }
}
