import { localDateTime } from '../../domain/dates.ts';
import { type Delivery, deliveryName } from '../../domain/webhooks/delivery.ts';
import type { webhookView } from '../../handlers/views/webhook.ts';
import { table } from './table.ts';

type WebhookRecord = ReturnType<typeof webhookView>;

const moment = (at: string | null): string => at?.replace('T', ' ') ?? '-';

export function webhookTable(webhooks: readonly WebhookRecord[]): string {
  const rows = webhooks.map((webhook) => [
    String(webhook.id),
    webhook.name || '-',
    webhook.url,
    webhook.events.join(','),
    webhook.status,
    String(webhook.failures),
    moment(webhook.last_delivery),
    webhook.last_error || '-',
  ]);
  return table(['ID', 'NAME', 'URL', 'EVENTS', 'STATUS', 'FAILURES', 'LAST DELIVERY', 'LAST ERROR'], rows);
}

/** As a record of the API would look: it has none for deliveries. */
export function deliveryRecord(delivery: Delivery, zone: string) {
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

type DeliveryRecord = ReturnType<typeof deliveryRecord>;

export function deliveryTable(deliveries: readonly DeliveryRecord[]): string {
  const rows = deliveries.map(({ attempts, ...delivery }) => {
    const last = attempts.at(-1);
    return [
      delivery.id,
      delivery.event,
      moment(delivery.date),
      delivery.status,
      String(attempts.length),
      moment(last?.date ?? null),
      String(last?.code ?? '-'),
      moment(delivery.next_attempt),
      last?.error || '-',
    ];
  });
  return table(['DELIVERY', 'EVENT', 'DATE', 'STATUS', 'ATTEMPTS', 'LAST ATTEMPT', 'CODE', 'NEXT ATTEMPT', 'LAST ERROR'], rows);
}
