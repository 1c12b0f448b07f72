import type { DeliveryOutcome, ReceiverResponse } from '../../domain/webhooks/delivery.ts';
import { exchangeFailure, SendingError } from './failure.ts';

export type ReceiverAnswer = Omit<ReceiverResponse, 'kind' | 'milliseconds'>;

/** Decision 10: the answer counts when it is there in whole, or as much of it as is read, within this time. */
export const exchangeTimeoutMs = 8000;

/** What came of an exchange and how long it took. Never rejects. */
export async function captureOutcome(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<ReceiverAnswer>,
): Promise<DeliveryOutcome> {
  const start = performance.now();
  const taken = () => Math.round(performance.now() - start);
  try {
    const answer = await within(milliseconds, work);
    return { kind: 'answered', ...answer, milliseconds: taken() };
  } catch (error) {
    const { failure, message } = exchangeFailure(error);
    return { kind: 'failed', failure, message, milliseconds: taken() };
  }
}

/** One time for everything: each step gets what the steps before have left, and what is under way when it ends is destroyed. */
export function within<Result>(milliseconds: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new SendingError('timeout', `The receiver did not answer within ${milliseconds / 1000} seconds.`));
      stop.abort();
    }, milliseconds);
    const done = () => clearTimeout(timer);
    work(stop.signal).then(resolve, reject).finally(done);
  });
}
