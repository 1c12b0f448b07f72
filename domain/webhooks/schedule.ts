import type { SecureRandom } from '../random.ts';
import type { Attempt, DeliveryOutcome } from './delivery.ts';

const minute = 60_000;
const hour = 60 * minute;

/** How long after each failed attempt the next one comes. After the last of them there is none. */
const retryDelays = [minute, 4 * minute, 16 * minute, 64 * minute, 4 * hour, 12 * hour];

/** After so many attempts, the longest that the next one can be away: twice the step, where the receiver asked for it. */
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
  // Never earlier than the schedule has it: a receiver that always asks for a second would use up all its attempts in one bad minute.
  return now + Math.max(about(step, random), Math.min(askedFor(outcome, now), 2 * step));
}

/** ±20 %, so that what failed together does not come back together. */
const about = (step: number, random: SecureRandom): number => Math.round((step * (8000 + random.below(4001))) / 10_000);

/** `Retry-After` in milliseconds: seconds, or a date as HTTP writes it. */
function askedFor(outcome: DeliveryOutcome, now: number): number {
  const isAsking = outcome.kind === 'answered' && (outcome.code === 429 || outcome.code === 503);
  const wanted = isAsking ? (outcome.retryAfter ?? '').trim() : '';
  if (/^\d+$/.test(wanted)) return Number(wanted) * 1000;
  // Date.parse reads almost anything as some date.
  return /^\w{3}, .+ GMT$/.test(wanted) ? (Date.parse(wanted) || 0) - now : 0;
}

/** What came of sending, as it is kept. */
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
