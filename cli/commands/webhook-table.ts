import { localDateTime } from '../../domain/dates.ts';
import { type Delivery, deliveryName } from '../../domain/webhooks/delivery.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { CommandContext } from '../context.ts';
import { formatAge } from '../terminal/format.ts';
import { type Column, formatTable, numberColumn } from '../terminal/table.ts';

const moment = (at: string | null): string => at?.replace('T', ' ') ?? '-';

const colors = new Map([
  ['active', 'green'],
  ['delivered', 'green'],
  ['pending', 'yellow'],
  ['disabled', 'yellow'],
  ['failed', 'red'],
] as const);
const status: Column = { name: 'STATUS', color: (cell) => (colors as ReadonlyMap<string, 'green' | 'yellow' | 'red'>).get(cell) ?? null };

export function webhookTable(webhooks: readonly Webhook[], { now, zone }: CommandContext): string {
  if (webhooks.length === 0) return 'There are no webhooks. POST /webhooks makes one.';
  const rows = webhooks.map((webhook) => [
    String(webhook.id),
    webhook.name || '-',
    webhook.url,
    webhook.events.join(','),
    webhook.status,
    String(webhook.failures),
    formatAge(webhook.lastDeliveryAt, now, zone),
    webhook.lastError || '-',
  ]);
  return formatTable([numberColumn('ID'), 'NAME', 'URL', 'EVENTS', status, numberColumn('FAILURES'), 'LAST DELIVERY', 'LAST ERROR'], rows);
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

const deliveryColumns = [
  ...['DELIVERY', 'EVENT', 'DATE'],
  status,
  ...[numberColumn('ATTEMPTS'), 'LAST ATTEMPT', numberColumn('CODE'), 'NEXT ATTEMPT', 'LAST ERROR'],
];

export function deliveryTable(deliveries: readonly DeliveryRecord[]): string {
  if (deliveries.length === 0) return 'Nothing was sent to it within the last 30 days.';
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
  return formatTable(deliveryColumns, rows);
}
