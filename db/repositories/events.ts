import type { EntityManager } from 'typeorm';
import type { NewEvent } from '../../domain/events/event.ts';
import type { Storage } from '../engine/storage.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { jsonRows, jsonTable } from '../sql/json-parameters.ts';

/**
 * Ids are seen after the commit. Without the lock a later id could be committed first, and a reader who has moved past it would never
 * see the earlier one.
 */
export async function appendEvents(manager: EntityManager, storage: Storage, newEvents: readonly NewEvent[]): Promise<void> {
  if (newEvents.length === 0) return;
  const { lockFeed } = storage.dialect;
  if (lockFeed) await manager.query(lockFeed);
  const next = await numbering(manager, storage, newEvents);
  await manager.query(insertEvents(manager), jsonRows(newEvents.map(valuesOf(next))));
}

interface Numbers {
  id: number;
  ordinal: number;
}

const lastNumbers = (manager: EntityManager): string => `
  select asked.kind, (select max(id) from events) as id,
    (select ordinal from events where events.kind = asked.kind order by events.id desc limit 1) as ordinal
  from ${jsonTable(manager, { kind: 'text' })} as asked`;

/**
 * Each id is one more than the last that is committed, and each ordinal one more than the last of its kind. Read from the events
 * themselves: a row that every writer updates would make all writers of PostgreSQL fail each other.
 */
async function numbering(manager: EntityManager, storage: Storage, newEvents: readonly NewEvent[]): Promise<(kind: string) => Numbers> {
  const kinds = [...new Set(newEvents.map(({ kind }) => kind))];
  const answer = await storage.queryCommitted(manager)(lastNumbers(manager), jsonRows(kinds.map((kind) => [kind])));
  const rows = answer as { kind: string; id: unknown; ordinal: unknown }[];
  const ordinals = new Map(rows.map(({ kind, ordinal }) => [kind, toSafeInteger(ordinal ?? 0)]));
  let id = toSafeInteger(rows[0]?.id ?? 0);
  return (kind) => {
    const ordinal = (ordinals.get(kind) ?? 0) + 1;
    ordinals.set(kind, ordinal);
    id += 1;
    return { id, ordinal };
  };
}

const columns = {
  id: 'bigint',
  kind: 'text',
  ordinal: 'bigint',
  type: 'text',
  object_type: 'text',
  object_id: 'bigint',
  user_id: 'bigint',
  info: 'text',
  data: 'text',
  created_at: 'bigint',
} as const;

const insertEvents = (manager: EntityManager): string =>
  `insert into events (${Object.keys(columns).join(', ')}) select * from ${jsonTable(manager, columns)} as given`;

const valuesOf =
  (next: (kind: string) => Numbers) =>
  ({ kind, type, objectType, objectId, userId, info, data, at }: NewEvent): unknown[] => {
    const { id, ordinal } = next(kind);
    return [id, kind, ordinal, type, objectType, objectId, userId, storable(info), data && JSON.stringify(data), at];
  };

/** Names of people and coupons stand in it. What PostgreSQL cannot keep of them must not undo the write that the event tells of. */
const storable = (info: string): string => (suspicious.test(info) ? info.replaceAll(/\0|\p{Surrogate}/gu, '\u{fffd}') : info);
/** Also whole characters beyond the first plane, which nothing happens to. */
const suspicious = /[\0\ud800-\udfff]/;
