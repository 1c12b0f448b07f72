import type { DeliveryOutcome } from './delivery.ts';
import { isGone, isSuccess, toAttempt } from './schedule.ts';
import type { Webhook } from './webhook.ts';

/** How a webhook stands after what came of its deliveries. */
export type WebhookHealth = Pick<Webhook, 'status' | 'failures' | 'lastDeliveryAt' | 'lastError'>;

export interface HealthChange {
  health: WebhookHealth;
  /** Why it has to be disabled, in whole sentences; null when it stays as it is. */
  disabledBecause: string | null;
}

/** Decision 10: so many failures in a row disable a webhook. */
const failuresAllowed = 25;

/** Moments of success are written down no more often than this: the row is one that all workers share. */
const unnoticedMilliseconds = 1000;

/** What these outcomes, in their order, make of it. What ends after it was disabled is in the log and counts no more. */
export function computeHealth(health: WebhookHealth, outcomes: readonly DeliveryOutcome[], now: number): HealthChange {
  const after = { ...health, lastDeliveryAt: now };
  let disabledBecause: string | null = null;
  for (const outcome of outcomes) {
    if (after.status === 'disabled') break;
    const { error } = toAttempt(outcome, now);
    Object.assign(after, isSuccess(outcome) ? { failures: 0, lastError: '' } : { failures: after.failures + 1, lastError: error });
    disabledBecause = reasonToDisable(outcome, after);
    if (disabledBecause !== null) after.status = 'disabled';
  }
  return { health: after, disabledBecause };
}

function reasonToDisable(outcome: DeliveryOutcome, { failures, lastError }: WebhookHealth): string | null {
  if (isGone(outcome)) return 'Its receiver answered 410: it is gone.';
  return failures < failuresAllowed ? null : `${failures} attempts in a row failed. The last error: ${lastError}`;
}

/** Whether there is anything to write: the last success of a healthy webhook is written only now and then. */
export function needsHealthUpdate(health: WebhookHealth, outcomes: readonly DeliveryOutcome[], now: number): boolean {
  const isSound = health.failures === 0 && health.lastError === '';
  const isRecent = health.lastDeliveryAt !== null && now < health.lastDeliveryAt + unnoticedMilliseconds;
  return !(isSound && isRecent && outcomes.every(isSuccess));
}
