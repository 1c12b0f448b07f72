import type { EntityManager } from 'typeorm';
import type { NewEvent } from '../../domain/events/event.ts';
import { wholeNumber } from '../columns.ts';
import type { Storage } from '../storage.ts';
import { chunksOf, tuples } from '../tuples.ts';

/**
 * Ids are seen after the commit. Without the lock a later id could be committed first, and a reader who has moved past it would never
 * see the earlier one.
 */
export async function appendEvents(manager: EntityManager, storage: Storage, newEvents: readonly NewEvent[]): Promise<void> {
  if (newEvents.length === 0) return;
  const { lockFeed } = storage.dialect;
  if (lockFeed) await manager.query(lockFeed);
  const next = await numbering(storage.latest(manager), newEvents);
  for (const chunk of chunksOf(newEvents)) await manager.query(insertEvents(chunk.length), chunk.flatMap(valuesOf(next)));
}

interface Numbers {
  id: number;
  ordinal: number;
}

const lastNumbers = (kinds: number): string => `
  with asked (kind) as (values ${tuples(kinds, ['text'])})
  select asked.kind, (select max(id) from events) as id,
    (select ordinal from events where events.kind = asked.kind order by events.id desc limit 1) as ordinal
  from asked`;

/**
 * Each id is one more than the last that is committed, and each ordinal one more than the last of its kind. Read from the events
 * themselves: a row that every writer updates would make all writers of PostgreSQL fail each other.
 */
async function numbering(latest: ReturnType<Storage['latest']>, newEvents: readonly NewEvent[]): Promise<(kind: string) => Numbers> {
  const kinds = [...new Set(newEvents.map(({ kind }) => kind))];
  const rows = (await latest(lastNumbers(kinds.length), kinds)) as { kind: string; id: unknown; ordinal: unknown }[];
  const ordinals = new Map(rows.map(({ kind, ordinal }) => [kind, wholeNumber(ordinal ?? 0)]));
  let id = wholeNumber(rows[0]?.id ?? 0);
  return (kind) => {
    const ordinal = (ordinals.get(kind) ?? 0) + 1;
    ordinals.set(kind, ordinal);
    id += 1;
    return { id, ordinal };
  };
}

const insertEvents = (rows: number): string => `
  insert into events (id, kind, ordinal, type, object_type, object_id, user_id, info, data, created_at)
  values ${tuples(rows, [null, null, null, null, null, null, null, null, null, null])}`;

const valuesOf =
  (next: (kind: string) => Numbers) =>
  ({ kind, type, objectType, objectId, userId, info, data, at }: NewEvent): unknown[] => {
    const { id, ordinal } = next(kind);
    return [id, kind, ordinal, type, objectType, objectId, userId, info, data && JSON.stringify(data), at];
  };
