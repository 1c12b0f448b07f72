import type { DeliveryOutcome } from './delivery.ts';
import { isGone, isSuccess, toAttempt } from './schedule.ts';
import type { Webhook } from './webhook.ts';

/** The health of a webhook, derived from the outcomes of its deliveries. */
export type WebhookHealth = Pick<Webhook, 'status' | 'failures' | 'failingSince' | 'nextProbeAt' | 'lastDeliveryAt' | 'lastError'>;

export const neverFailed = { failures: 0, failingSince: null, nextProbeAt: null, lastError: '' } as const;

export interface HealthChange {
  health: WebhookHealth;
  /** Why it has to be disabled, in whole sentences; null when it stays as it is. */
  disabledBecause: string | null;
}

/** After so many failures in a row a webhook only gets probes. */
const failuresBeforeProbes = 25;

/** One delivery a minute is tried as a probe, so that a dead receiver holds no slots. */
export const probeMilliseconds = 60_000;

/** A webhook that only gets probes is disabled when its first failure is this old, so that a short outage disables nothing. */
const outageMilliseconds = 24 * 60 * 60_000;

/** The time of the last success is written no more often than this, because all workers share the row. */
const minSuccessWriteIntervalMs = 1000;

/** Applies the outcomes in their order. Those after the webhook was disabled are in the log and do not count. */
export function computeHealth(health: WebhookHealth, outcomes: readonly DeliveryOutcome[], now: number): HealthChange {
  const after = { ...health, lastDeliveryAt: now };
  let disabledBecause: string | null = null;
  for (const outcome of outcomes) {
    if (after.status === 'disabled') break;
    Object.assign(after, isSuccess(outcome) ? neverFailed : afterFailure(after, outcome, now));
    disabledBecause = reasonToDisable(outcome, after, now);
    if (disabledBecause !== null) after.status = 'disabled';
  }
  return { health: after, disabledBecause };
}

function afterFailure(
  { failures, failingSince, nextProbeAt }: WebhookHealth,
  outcome: DeliveryOutcome,
  now: number,
): Omit<WebhookHealth, 'status' | 'lastDeliveryAt'> {
  const onlyProbes = failures + 1 >= failuresBeforeProbes;
  return {
    failures: failures + 1,
    failingSince: failingSince ?? now,
    nextProbeAt: onlyProbes ? (nextProbeAt ?? now + probeMilliseconds) : null,
    lastError: toAttempt(outcome, now).error,
  };
}

function reasonToDisable(outcome: DeliveryOutcome, { failures, failingSince, lastError }: WebhookHealth, now: number): string | null {
  if (isGone(outcome)) return 'Its receiver answered 410: it is gone.';
  const isDead = failures >= failuresBeforeProbes && failingSince !== null && now - failingSince >= outageMilliseconds;
  return isDead ? `${failures} attempts in a row failed, the first of them at least 24 hours ago. The last error: ${lastError}` : null;
}

/** Whether there is anything to write: the last success of a healthy webhook is written only now and then. */
export function needsHealthUpdate(health: WebhookHealth, outcomes: readonly DeliveryOutcome[], now: number): boolean {
  const isHealthy = health.failures === 0 && health.lastError === '';
  const isRecent = health.lastDeliveryAt !== null && now < health.lastDeliveryAt + minSuccessWriteIntervalMs;
  return !(isHealthy && isRecent && outcomes.every(isSuccess));
}
