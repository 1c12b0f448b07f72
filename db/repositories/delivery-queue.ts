import type { EntityManager } from 'typeorm';
import type { NewEvent } from '../../domain/events/event.ts';
import type { WebhookNotification } from '../../domain/webhooks/delivery.ts';
import type { WebhookNotifier } from '../../domain/webhooks/event-notifier.ts';
import { allEvents } from '../../domain/webhooks/webhook.ts';
import { jsonRows, jsonTable } from '../sql/json-parameters.ts';

/**
 * Leaves a delivery for each active webhook that subscribed to one of these events: with them, or not at all. How many events they are or
 * how many webhooks, it takes three statements; and where no webhook is active, one.
 */
export async function queueDeliveries(manager: EntityManager, events: readonly NewEvent[], tell: WebhookNotifier): Promise<boolean> {
  if (events.length === 0) return false;
  const subscribed = await subscribedEvents(manager);
  if (subscribed.size === 0) return false;
  const news = await tell(events, { subscribed, storedSettings: await storedSettings(manager) });
  const heard = subscribed.has(allEvents) ? news : news.filter(({ event }) => subscribed.has(event));
  if (heard.length === 0) return false;
  await manager.query(insertDeliveries(manager), jsonRows(heard.map(valuesOf)));
  return true;
}

async function subscribedEvents(manager: EntityManager): Promise<Set<string>> {
  const rows: { events: string }[] = await manager.query("select events from webhooks where status = 'active'");
  return new Set(rows.flatMap(({ events }) => JSON.parse(events) as string[]));
}

async function storedSettings(manager: EntityManager): Promise<Record<string, unknown>> {
  const rows: { path: string; value: string }[] = await manager.query('select path, value from settings');
  return Object.fromEntries(rows.map(({ path, value }) => [path, JSON.parse(value)]));
}

const columns = { event: 'text', data: 'text', created_at: 'bigint' } as const;

// The list of events is JSON, and a name in its quotes is in the text where it is in the list: no name has a quote in it.
const insertDeliveries = (manager: EntityManager): string => `
  insert into webhook_deliveries (webhook_id, event, data, created_at, status, attempts, due_at, lease, finished_at)
  select webhooks.id, told.event, told.data, told.created_at, 'pending', 0, told.created_at, null, null
  from ${jsonTable(manager, columns)} as told
  join webhooks on webhooks.events = '["${allEvents}"]' or replace(webhooks.events, '"' || told.event || '"', '') <> webhooks.events
  where webhooks.status = 'active'`;

const valuesOf = ({ event, data, at }: WebhookNotification): unknown[] => [event, data && JSON.stringify(data), at];
