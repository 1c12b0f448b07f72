import type { EntityManager } from 'typeorm';
import { grouped } from '../../domain/grouped.ts';
import type { Attempt, Delivery, DeliveryStatus } from '../../domain/webhooks/delivery.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { jsonList } from '../sql/json-parameters.ts';

export interface DeliveryRow {
  id: unknown;
  webhook_id: unknown;
  event: string;
  data: string | null;
  created_at: unknown;
  status: DeliveryStatus;
  attempts: unknown;
  due_at: unknown;
  finished_at: unknown;
}

interface AttemptRow {
  delivery_id: unknown;
  attempted_at: unknown;
  code: unknown;
  failure: Attempt['failure'];
  error: string;
  excerpt: string;
  milliseconds: unknown;
}

const orNull = (stored: unknown): number | null => (stored === null ? null : toSafeInteger(stored));

const toAttempt = (row: AttemptRow): Attempt => ({
  at: toSafeInteger(row.attempted_at),
  code: orNull(row.code),
  failure: row.failure,
  error: row.error,
  excerpt: row.excerpt,
  milliseconds: toSafeInteger(row.milliseconds),
});

/** By delivery. */
export async function attemptsOf(manager: EntityManager, deliveries: readonly DeliveryRow[]): Promise<Map<number, AttemptRow[]>> {
  const ids = deliveries.map(({ id }) => toSafeInteger(id));
  const rows: AttemptRow[] = await manager.query(
    `select * from webhook_attempts where delivery_id in ${jsonList(manager, 'bigint')} order by id`,
    [JSON.stringify(ids)],
  );
  return grouped(rows, (row) => toSafeInteger(row.delivery_id));
}

export function toDelivery(row: DeliveryRow, attempts: ReadonlyMap<number, readonly AttemptRow[]>): Delivery {
  const id = toSafeInteger(row.id);
  return {
    id,
    webhookId: toSafeInteger(row.webhook_id),
    event: row.event,
    createdAt: toSafeInteger(row.created_at),
    status: row.status,
    dueAt: orNull(row.due_at),
    finishedAt: orNull(row.finished_at),
    attempts: (attempts.get(id) ?? []).map(toAttempt),
  };
}
