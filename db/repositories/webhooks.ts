import { type EntityManager, In, Not } from 'typeorm';
import type { Page, Paged } from '../../domain/page.ts';
import { neverFailed, type WebhookHealth } from '../../domain/webhooks/health.ts';
import type { WebhookRepository } from '../../domain/webhooks/repository.ts';
import type { NewWebhook, Webhook } from '../../domain/webhooks/webhook.ts';
import { type EntityRow, isId, toSafeInteger } from '../entities/columns.ts';
import { webhookHealth, webhooks } from '../entities/webhooks.ts';
import { findPage, isPostgres } from '../sql/projection.ts';

export const webhookRepository = (manager: EntityManager): WebhookRepository => ({
  byId: async (id) => (isId(id) ? ((await withHealth(manager, await manager.findBy(webhooks, { id })))[0] ?? null) : null),
  page: (page) => pageOfWebhooks(manager, page),
  insert: (webhook) => insert(manager, webhook),
  setEvents: async (id, events) => void (await manager.update(webhooks, { id }, { events: [...events] })),
  setStatus: async (id, status) => (await manager.update(webhooks, { id, status: Not(status) }, { status })).affected === 1,
  remove: async (id) => isId(id) && (await manager.delete(webhooks, { id })).affected === 1,
  resetFailures: async (id) => void (await manager.update(webhookHealth, { webhookId: id }, neverFailed)),
  lock: (ids, changing) => lockWebhooks(manager, ids, changing),
  health: (ids) => healthById(manager, ids),
  lockedHealth: (ids) => healthById(manager, ids, isPostgres(manager) ? { lock: { mode: 'pessimistic_write' } } : {}),
  setHealth: async (id, { failures, failingSince, nextProbeAt, lastDeliveryAt, lastError }) => {
    await manager.update(webhookHealth, { webhookId: id }, { failures, failingSince, nextProbeAt, lastDeliveryAt, lastError });
  },
});

type Lock = { lock?: { mode: 'pessimistic_write' } };

type HealthRow = Omit<WebhookHealth, 'status'>;

async function healthRows(manager: EntityManager, ids: readonly number[], lock: Lock = {}): Promise<Map<number, HealthRow>> {
  const rows = await manager.find(webhookHealth, { where: { webhookId: In(ids) }, order: { webhookId: 'ASC' }, ...lock });
  return new Map(rows.map(({ webhookId, ...health }) => [webhookId, health]));
}

/** Every webhook has one row of health, which is inserted and deleted with it. */
const joined = <Found extends { id: number }>(found: readonly Found[], health: ReadonlyMap<number, HealthRow>): (Found & HealthRow)[] =>
  found.flatMap((webhook) => {
    const own = health.get(webhook.id);
    return own ? [{ ...webhook, ...own }] : [];
  });

async function withHealth(manager: EntityManager, found: readonly EntityRow<typeof webhooks>[]): Promise<Webhook[]> {
  return joined(
    found,
    await healthRows(
      manager,
      found.map(({ id }) => id),
    ),
  );
}

async function pageOfWebhooks(manager: EntityManager, page: Page): Promise<Paged<Webhook>> {
  const { items, total } = await findPage(manager.createQueryBuilder(webhooks, 'webhook').orderBy('webhook.id', 'DESC'), page);
  return { items: await withHealth(manager, items), total };
}

async function insert(manager: EntityManager, webhook: NewWebhook): Promise<Webhook> {
  const { identifiers } = await manager.insert(webhooks, { ...webhook, status: 'active' });
  const id = toSafeInteger(identifiers[0]?.['id']);
  const health = { ...neverFailed, lastDeliveryAt: null };
  await manager.insert(webhookHealth, { webhookId: id, ...health });
  return { ...webhook, id, status: 'active', ...health };
}

/** SQLite has one writer, so no other transaction deletes or changes them meanwhile. */
async function lockWebhooks(manager: EntityManager, ids: readonly number[], changing: readonly number[]): Promise<void> {
  if (!isPostgres(manager)) return;
  const lock = (which: readonly number[], mode: 'for_key_share' | 'for_no_key_update'): Promise<unknown> =>
    manager.find(webhooks, { select: { id: true }, where: { id: In(which) }, order: { id: 'ASC' }, lock: { mode } });
  await lock(ids, 'for_key_share');
  if (changing.length > 0) await lock(changing, 'for_no_key_update');
}

async function healthById(manager: EntityManager, ids: readonly number[], lock: Lock = {}): Promise<Map<number, WebhookHealth>> {
  const health = await healthRows(manager, ids, lock);
  // After the lock was granted, so that the status is no older than the health.
  const found = await manager.find(webhooks, { select: { id: true, status: true }, where: { id: In(ids) }, order: { id: 'ASC' } });
  return new Map(joined(found, health).map(({ id, ...rest }) => [id, rest]));
}
