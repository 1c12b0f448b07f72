import type { EntityManager } from 'typeorm';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import type { WebhookStore } from '../../domain/webhooks/store.ts';
import type { NewWebhook, Webhook, WebhookStatus } from '../../domain/webhooks/webhook.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';
import { returnedRows } from '../sql/returned-rows.ts';
import { webhookHealth } from './webhook-health.ts';

export const webhookStore = (manager: EntityManager): WebhookStore => ({
  byId: async (id) => (isId(id) ? ((await select(manager, 'where webhooks.id = $1', [id]))[0] ?? null) : null),
  page: (page) => pageOf(manager, page),
  insert: (webhook) => insert(manager, webhook),
  setEvents: async (id, events) =>
    void (await manager.query('update webhooks set events = $1 where id = $2', [JSON.stringify(events), id])),
  setStatus: (id, status) => changed(manager, 'update webhooks set status = $1 where id = $2 and status <> $1 returning id', [status, id]),
  remove: async (id) => isId(id) && changed(manager, 'delete from webhooks where id = $1 returning id', [id]),
  ...webhookHealth(manager),
});

interface WebhookRow {
  id: unknown;
  name: string;
  url: string;
  events: string;
  status: WebhookStatus;
  encrypted_secret: string;
  created_by: unknown;
  created_at: unknown;
  failures: unknown;
  last_delivery_at: unknown;
  last_error: string;
}

async function select(manager: EntityManager, which: string, values: unknown[]): Promise<Webhook[]> {
  const rows: WebhookRow[] = await manager.query(
    `select webhooks.*, failures, last_delivery_at, last_error
     from webhooks join webhook_health on webhook_health.webhook_id = webhooks.id ${which}`,
    values,
  );
  return rows.map(toWebhook);
}

const toWebhook = (row: WebhookRow): Webhook => ({
  id: toSafeInteger(row.id),
  name: row.name,
  url: row.url,
  events: JSON.parse(row.events),
  status: row.status,
  failures: toSafeInteger(row.failures),
  lastDeliveryAt: row.last_delivery_at === null ? null : toSafeInteger(row.last_delivery_at),
  lastError: row.last_error,
  encryptedSecret: row.encrypted_secret,
  createdBy: toSafeInteger(row.created_by),
  createdAt: toSafeInteger(row.created_at),
});

async function pageOf(manager: EntityManager, page: Page): Promise<Paged<Webhook>> {
  const [row]: { total: unknown }[] = await manager.query('select count(*) as total from webhooks');
  const total = toSafeInteger(row?.total);
  if (isPastTheEnd(page, total)) return { items: [], total };
  return { items: await select(manager, 'order by webhooks.id desc limit $1 offset $2', [page.perPage, offsetOf(page)]), total };
}

async function insert(manager: EntityManager, webhook: NewWebhook): Promise<Webhook> {
  const { name, url, events, encryptedSecret, createdBy, createdAt } = webhook;
  const [inserted]: { id: unknown }[] = await manager.query(
    `insert into webhooks (name, url, events, status, encrypted_secret, created_by, created_at)
     values ($1, $2, $3, 'active', $4, $5, $6) returning id`,
    [name, url, JSON.stringify(events), encryptedSecret, createdBy, createdAt],
  );
  const id = toSafeInteger(inserted?.id);
  await manager.query("insert into webhook_health (webhook_id, failures, last_delivery_at, last_error) values ($1, 0, null, '')", [id]);
  return { ...webhook, id, status: 'active', failures: 0, lastDeliveryAt: null, lastError: '' };
}

const changed = async (manager: EntityManager, statement: string, values: unknown[]): Promise<boolean> =>
  returnedRows(await manager.query(statement, values)).length > 0;
