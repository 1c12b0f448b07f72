import { setTimeout } from 'node:timers/promises';
import { codeOf } from '../database-error.ts';
import type { Permits } from './semaphore.ts';

const attemptsAllowed = 12;
const longestPauseMs = 100;

// serialization_failure and deadlock_detected: both mean that another transaction got through, so trying again leads on.
const isWorthRetrying = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error) ?? '');

export type Attempt = 'beside others' | 'alone';

/**
 * Tries beside others first, and after a conflict alone: where many write the same row, trying again beside each other would let one
 * through and fail the rest, again and again. First attempts of other processes remain, so also alone it may take a few.
 */
export async function retrying<Result>(
  permits: Permits,
  work: (attempt: Attempt) => Promise<Result>,
  onRetry: () => void = () => {},
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (attempt === 1 ? permits.use(1, () => work('beside others')) : permits.use(permits.total, () => work('alone')));
    } catch (error) {
      if (attempt === attemptsAllowed || !isWorthRetrying(error)) throw error;
    }
    onRetry();
    // By chance, so that processes which met do not meet again.
    if (attempt > 1) await setTimeout(Math.random() * Math.min(longestPauseMs, 2 ** attempt));
  }
}
