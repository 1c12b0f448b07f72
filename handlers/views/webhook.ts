import { localDateTime } from '../../domain/dates.ts';
import { type Delivery, deliveryName } from '../../domain/webhooks/delivery.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { components } from '../../generated/api.d.ts';
import type { Settings } from '../../site/settings/settings.ts';

/** Without the secret, which only the response to its creation shows. */
export function webhookView(webhook: Webhook, { store }: Settings): components['schemas']['Webhook'] {
  const { id, name, url, events, status, failures, lastDeliveryAt, lastError, createdAt } = webhook;
  return {
    id,
    name,
    url,
    events,
    status,
    failures,
    last_delivery: lastDeliveryAt === null ? null : localDateTime(lastDeliveryAt, store.timezone),
    last_error: lastError,
    date_created: localDateTime(createdAt, store.timezone),
  };
}

export function deliveryView(delivery: Delivery, zone: string): components['schemas']['WebhookDelivery'] {
  const { id, webhookId, event, status, createdAt, dueAt, finishedAt, attempts } = delivery;
  const orNull = (at: number | null) => (at === null ? null : localDateTime(at, zone));
  return {
    id: deliveryName(id),
    webhook_id: webhookId,
    event,
    status,
    date: localDateTime(createdAt, zone),
    next_attempt: orNull(dueAt),
    date_finished: orNull(finishedAt),
    attempts: attempts.map(({ at, ...attempt }) => ({ date: localDateTime(at, zone), ...attempt })),
  };
}
