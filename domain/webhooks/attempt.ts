import type { Attempt } from './delivery.ts';
import { isSuccess } from './schedule.ts';
import type { DeliveryOutcome } from './sending.ts';

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
