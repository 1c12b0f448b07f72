import type { EntityManager } from 'typeorm';
import type { Attempt, ClaimedDelivery } from '../../domain/webhooks/delivery.ts';
import type { DeliveryUpdate } from '../../domain/webhooks/store.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { jsonList, jsonRows, jsonTable } from '../sql/json-parameters.ts';

// However many attempts end at once, each step is one statement.

export async function held(manager: EntityManager, claimed: readonly Pick<ClaimedDelivery, 'id' | 'lease'>[]): Promise<Set<string>> {
  const lock = manager.connection.options.type === 'postgres' ? 'for update' : '';
  const rows: { id: unknown; lease: string | null }[] = await manager.query(
    `select id, lease from webhook_deliveries where id in ${jsonList(manager, 'bigint')} order by id ${lock}`,
    [JSON.stringify(claimed.map(({ id }) => id))],
  );
  const leases = new Map(rows.map(({ id, lease }) => [toSafeInteger(id), lease]));
  return new Set(claimed.filter(({ id, lease }) => leases.get(id) === lease).map(({ id, lease }) => lease + id));
}

const settledColumns = { settled_id: 'bigint', new_status: 'text', made: 'bigint', next_at: 'bigint', ended_at: 'bigint' } as const;

export async function settle(manager: EntityManager, settled: readonly (DeliveryUpdate & { id: number })[]): Promise<void> {
  if (settled.length === 0) return;
  const rows = settled.map(({ id, status, attempts, dueAt, finishedAt }) => [id, status, attempts, dueAt, finishedAt]);
  await manager.query(
    `update webhook_deliveries set status = new_status, attempts = made, due_at = next_at, finished_at = ended_at, lease = null
     from ${jsonTable(manager, settledColumns)} as settled where id = settled_id`,
    jsonRows(rows),
  );
}

const attemptColumns = {
  delivery_id: 'bigint',
  attempted_at: 'bigint',
  code: 'bigint',
  failure: 'text',
  error: 'text',
  excerpt: 'text',
  milliseconds: 'bigint',
} as const;

export async function addAttempts(manager: EntityManager, attempts: readonly (Attempt & { deliveryId: number })[]): Promise<void> {
  if (attempts.length === 0) return;
  const rows = attempts.map(({ deliveryId, at, code, failure, error, excerpt, milliseconds }) =>
    // A clock may give fractions of them.
    [deliveryId, at, code, failure, storable(error), storable(excerpt), Math.round(milliseconds)],
  );
  await manager.query(
    `insert into webhook_attempts (${Object.keys(attemptColumns).join(', ')}) select * from ${jsonTable(manager, attemptColumns)} as given`,
    jsonRows(rows),
  );
}

/** Receivers say what they like, and PostgreSQL cannot keep all of it. */
const storable = (text: string): string => text.replaceAll(/\0|\p{Surrogate}/gu, '\u{fffd}');
