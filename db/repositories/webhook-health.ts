import type { EntityManager } from 'typeorm';
import type { WebhookHealth } from '../../domain/webhooks/health.ts';
import type { WebhookStore } from '../../domain/webhooks/store.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { jsonList } from '../sql/json-parameters.ts';

type HealthStore = Pick<WebhookStore, 'resetFailures' | 'lock' | 'health' | 'lockedHealth' | 'setHealth'>;

export const webhookHealth = (manager: EntityManager): HealthStore => ({
  resetFailures: async (id) =>
    void (await manager.query("update webhook_health set failures = 0, last_error = '' where webhook_id = $1", [id])),
  lock: (ids, changing) => hold(manager, ids, changing),
  health: (ids) => healthOf(manager, ids, ''),
  lockedHealth: (ids) => healthOf(manager, ids, isPostgres(manager) ? 'for update of health' : ''),
  setHealth: async (id, { failures, lastDeliveryAt, lastError }) =>
    void (await manager.query(setAll, [failures, lastDeliveryAt, lastError, id])),
});

const isPostgres = (manager: EntityManager): boolean => manager.connection.options.type === 'postgres';

/** On SQLite nobody else writes meanwhile. */
async function hold(manager: EntityManager, ids: readonly number[], changing: readonly number[]): Promise<void> {
  if (!isPostgres(manager)) return;
  const lock = (which: readonly number[], strength: string): Promise<unknown> =>
    manager.query(`select id from webhooks where id in ${jsonList(manager, 'bigint')} order by id for ${strength}`, [
      JSON.stringify(which),
    ]);
  await lock(ids, 'key share');
  if (changing.length > 0) await lock(changing, 'no key update');
}

interface HealthRow {
  webhook_id: unknown;
  status: WebhookHealth['status'];
  failures: unknown;
  last_delivery_at: unknown;
  last_error: string;
}

async function healthOf(manager: EntityManager, ids: readonly number[], lock: string): Promise<Map<number, WebhookHealth>> {
  const rows: HealthRow[] = await manager.query(
    `select webhook_id, status, failures, last_delivery_at, last_error
     from webhook_health as health join webhooks on webhooks.id = webhook_id
     where webhook_id in ${jsonList(manager, 'bigint')} order by webhook_id ${lock}`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.map((row) => [toSafeInteger(row.webhook_id), toHealth(row)]));
}

const toHealth = (row: HealthRow): WebhookHealth => ({
  status: row.status,
  failures: toSafeInteger(row.failures),
  lastDeliveryAt: row.last_delivery_at === null ? null : toSafeInteger(row.last_delivery_at),
  lastError: row.last_error,
});

const setAll = 'update webhook_health set failures = $1, last_delivery_at = $2, last_error = $3 where webhook_id = $4';
