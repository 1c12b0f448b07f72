import type { SecureRandom } from '../random.ts';
import type { Attempt, DeliveryOutcome } from './delivery.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The delay before each retry. After the last of them the delivery has failed. */
const retryDelays = [minute, 4 * minute, 16 * minute, 64 * minute, 4 * hour, 12 * hour];

/** The upper bound of the delay by the number of attempts: twice the step, where the receiver sent Retry-After. */
export const maxRetryDelays: readonly number[] = [1000, ...retryDelays.map((step) => 2 * step)];

/** Any 2xx. A redirect is not followed, so it is a failure. */
export const isSuccess = (outcome: DeliveryOutcome): boolean => outcome.kind === 'answered' && outcome.code >= 200 && outcome.code < 300;

/** The receiver says that it is gone for good. */
export const isGone = (outcome: DeliveryOutcome): boolean => outcome.kind === 'answered' && outcome.code === 410;

/** When to try again after this attempt failed, or null when it was the last. */
export function nextAttemptAt(
  attempt: number,
  outcome: DeliveryOutcome,
  { now, random }: { now: number; random: SecureRandom },
): number | null {
  const step = retryDelays[attempt - 1];
  if (step === undefined || isGone(outcome)) return null;
  // Never earlier than the schedule has it: a receiver that always sends one second would use up all its attempts in one bad minute.
  return now + Math.max(withJitter(step, random), Math.min(retryAfterMs(outcome, now), 2 * step));
}

/** ±20 %, so that deliveries which failed together are not retried together. */
const withJitter = (step: number, random: SecureRandom): number => Math.round((step * (8000 + random.below(4001))) / 10_000);

/** `Retry-After` in milliseconds: seconds, or a date as HTTP writes it. */
function retryAfterMs(outcome: DeliveryOutcome, now: number): number {
  const isThrottled = outcome.kind === 'answered' && (outcome.code === 429 || outcome.code === 503);
  return isThrottled ? parseRetryAfter(outcome.retryAfter ?? '', now) : 0;
}

/** In milliseconds; 0 if the header is missing or says nothing. */
export function parseRetryAfter(value: string, now: number): number {
  const header = value.trim();
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  // Date.parse reads almost anything as some date.
  return /^\w{3}, .+ GMT$/.test(header) ? (Date.parse(header) || 0) - now : 0;
}

/** The stored record of an attempt. */
export function toAttempt(outcome: DeliveryOutcome, at: number): Attempt {
  const error = errorOf(outcome);
  const { milliseconds } = outcome;
  if (outcome.kind === 'failed') return { at, code: null, failure: outcome.failure, error, excerpt: '', milliseconds };
  return { at, code: outcome.code, failure: null, error, excerpt: outcome.excerpt, milliseconds };
}

function errorOf(outcome: DeliveryOutcome): string {
  if (outcome.kind === 'failed') return outcome.message;
  return isSuccess(outcome) ? '' : `The receiver answered ${outcome.code}.`;
}
