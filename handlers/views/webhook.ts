import { localDateTime } from '../../domain/dates.ts';
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
