import type { EntityManager } from 'typeorm';
import type { EventFilter, EventRepository, NewEvent, RecordedEvent } from '../../domain/events/event.ts';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import type { EventKind } from '../../generated/events.ts';
import type { Storage } from '../engine/storage.ts';
import { bigint, toSafeInteger } from '../entities/columns.ts';
import { events } from '../entities/events.ts';
import { Conditions, toStorable } from '../sql/conditions.ts';
import { insertRows, jsonRows, jsonTable } from '../sql/insert.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { findPage, projectionOf, selectRows } from '../sql/projection.ts';

// By hand, for the benchmark rows `feed` (any cursor of millions of events costs the same) and `ingest` (any number of events, two statements).

/**
 * Appends to the feed. Ids become visible with the commit. Without the lock a later id could be committed first, and a reader that has moved
 * past it would never see the earlier one. `beforeLock` is sent before the lock, because many events and webhooks take time.
 */
export async function appendEvents(
  manager: EntityManager,
  storage: Storage,
  newEvents: readonly NewEvent[],
  beforeLock: (() => Promise<unknown>) | null,
): Promise<void> {
  if (newEvents.length === 0) return;
  const { lockFeed } = storage.dialect;
  await Promise.all([beforeLock?.(), lockFeed && manager.query(lockFeed)]);
  const nextNumbers = await numbering(manager, storage, newEvents);
  // The fields are written out because spreads cost several times as much (benchmark row `import`).
  const rows = newEvents.map(({ kind, type, objectType, objectId, userId, info, data, at }) => {
    const { id, ordinal } = nextNumbers(kind);
    // Texts hold names from outside, which must not fail the write that the event is part of.
    return { id, kind, ordinal, type, objectType, objectId, userId, info: toStorable(info), data, at };
  });
  // Not awaited, so that it is sent together with COMMIT: the lock is held for one round trip less. The end of the transaction reports its failure.
  insertRows(manager, events, rows).catch(() => {});
}

const lastNumbers = (manager: EntityManager): string => `
  select given.kind, (select max(id) from events) as id,
    (select ordinal from events where events.kind = given.kind order by events.id desc limit 1) as ordinal
  from ${jsonTable(manager, { kind: 'text' })} as given`;

/**
 * Each id is one more than the last that is committed, and each ordinal one more than the last of its kind. Read from the events
 * themselves: a counter row that every writer updates would make concurrent writers on PostgreSQL fail.
 */
async function numbering(manager: EntityManager, storage: Storage, newEvents: readonly NewEvent[]) {
  const kinds = [...new Set(newEvents.map(({ kind }) => kind))];
  const answer = await storage.queryCommitted(manager)(lastNumbers(manager), jsonRows(kinds.map((kind) => [kind])));
  const rows = answer as { kind: string; id: unknown; ordinal: unknown }[];
  const ordinals = new Map(rows.map(({ kind, ordinal }) => [kind, toSafeInteger(ordinal ?? 0)]));
  let id = toSafeInteger(rows[0]?.id ?? 0);
  return (kind: string): { id: number; ordinal: number } => {
    const ordinal = (ordinals.get(kind) ?? 0) + 1;
    ordinals.set(kind, ordinal);
    id += 1;
    return { id, ordinal };
  };
}

/** Reads the feed. `appendEvents` writes it, at the end of a transaction. */
export const feedRepository = (manager: EntityManager): Pick<EventRepository, 'after' | 'newest' | 'ofPayout' | 'lastId'> => ({
  after: (cursor, filter, limit) => orUnavailable(findAfter(manager, cursor, filter, limit)),
  newest: (filter, page) => orUnavailable(findNewest(manager, filter, page)),
  ofPayout: (id, page) => orUnavailable(findPage(ofPayout(manager, id), page)),
  lastId: () => findLastId(manager),
});

/** The type is spelled out, as the index `events_of_payout` has it. */
const ofPayout = (manager: EntityManager, id: number) =>
  manager.createQueryBuilder(events, 'event').where("event.objectType = 'payout' and event.objectId = :id", { id }).orderBy('event.id');

const findLastId = async (manager: EntityManager): Promise<number> => (await manager.maximum(events, 'id')) ?? 0;

const recordedEvent = projectionOf(events, ['id', 'kind', 'type', 'objectType', 'objectId', 'userId', 'info', 'data', 'at']);
const countedEvent = recordedEvent.plus({ total: bigint('total') });

/** One statement for each poll. */
async function findAfter(manager: EntityManager, cursor: number, filter: EventFilter, limit: number): Promise<Paged<RecordedEvent>> {
  const runs = runsOf(filter);
  const values = new Conditions();
  const sql = `select ${recordedEvent.list()}, ${countBeyond(runs, values, cursor)} as total from events
    where ${idsWithin(runs, values, { from: { after: cursor }, skip: 0, limit })} order by id limit ${values.place(limit)}`;
  const rows = await selectRows(manager, countedEvent, sql, values.values);
  return { items: rows.map(({ total: _total, ...event }) => event), total: rows[0]?.total ?? 0 };
}

async function findNewest(manager: EntityManager, filter: EventFilter, page: Page): Promise<Paged<RecordedEvent>> {
  const runs = runsOf(filter);
  const total = await queryBeyond(manager, runs, 0);
  if (isPastTheEnd(page, total)) return { items: [], total };
  const stretch = { ...(await locatePage(manager, runs, offsetOf(page))), limit: page.perPage };
  const values = new Conditions();
  const sql = `select ${recordedEvent.list()} from events
    where ${idsWithin(runs, values, stretch)} order by id desc limit ${values.place(page.perPage)}`;
  return { items: await selectRows(manager, recordedEvent, sql, values.values), total };
}

async function queryBeyond(manager: EntityManager, runs: readonly SortedRun[], cursor: number): Promise<number> {
  const values = new Conditions();
  const [row]: { total: unknown }[] = await manager.query(`select ${countBeyond(runs, values, cursor)} as total`, values.values);
  return toSafeInteger(row?.total);
}

/** Where a page begins: computed or found by bisection where the events are numbered without gaps, otherwise by skipping. */
async function locatePage(manager: EntityManager, runs: readonly SortedRun[], offset: number): Promise<Omit<Stretch, 'limit'>> {
  const last = await findLastId(manager);
  const number = runs[0]?.number ?? null;
  if (number === null) return { from: { downFrom: last }, skip: offset };
  const downFrom = number === 'id' ? last - offset : await bisect(manager, runs, offset, last);
  return { from: { downFrom }, skip: 0 };
}

/** The lowest id beyond which at most `offset` events lie. Each count is a few index look-ups. */
async function bisect(manager: EntityManager, runs: readonly SortedRun[], offset: number, last: number): Promise<number> {
  if (offset === 0) return last;
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await queryBeyond(manager, runs, middle)) <= offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Events that one index holds in their order. A filter selects one such run, or several that are merged. */
interface SortedRun {
  kinds: readonly EventKind[];
  userId: number | null;
  /** The column that numbers them without gaps, so that their count is a difference. Null: the index entries are counted one by one. */
  number: 'id' | 'ordinal' | null;
}

function runsOf({ userId, kinds }: EventFilter): SortedRun[] {
  const distinct = [...new Set(kinds)];
  if (userId !== null) return [{ userId, kinds: distinct, number: null }];
  if (distinct.length === 0) return [{ userId, kinds: [], number: 'id' }];
  return distinct.map((kind) => ({ userId, kinds: [kind], number: 'ordinal' }));
}

// Values are numbered in the order in which they appear in the statement, which is the order of these calls.

function conditionsOf({ userId, kinds }: SortedRun, values: Conditions): string[] {
  const conditions: string[] = [];
  if (userId !== null) conditions.push(`user_id = ${values.place(userId)}`);
  if (kinds.length === 1) conditions.push(`kind = ${values.place(kinds[0])}`);
  if (kinds.length > 1) conditions.push(`kind in (${kinds.map((kind) => values.place(kind)).join(', ')})`);
  return conditions;
}

const inRun = (run: SortedRun, values: Conditions): string => conditionsOf(run, values).join(' and ') || 'id > 0';

/** Without `id > 0` beside it: SQLite would look that up in the index, and read all entries up to the cursor. */
const inRunFrom = (run: SortedRun, values: Conditions, than: string, id: number): string =>
  [...conditionsOf(run, values), `id ${than} ${values.place(id)}`].join(' and ');

/** The number of events beyond a cursor, as an expression. */
const countBeyond = (runs: readonly SortedRun[], values: Conditions, cursor: number): string =>
  runs.map((run) => countRunBeyond(run, values, cursor)).join(' + ');

const countRunBeyond = (run: SortedRun, values: Conditions, cursor: number): string =>
  run.number === null
    ? `(select count(*) from events where ${inRunFrom(run, values, '>', cursor)})`
    : `coalesce(
        (select ${run.number} from events where ${inRun(run, values)} order by id desc limit 1)
        - (select ${run.number} from events where ${inRunFrom(run, values, '>', cursor)} order by id limit 1) + 1, 0)`;

interface Stretch {
  /** Beyond this id, oldest first, or from this id back, newest first. */
  from: { after: number } | { downFrom: number };
  /** Reads all that it skips, from the index. */
  skip: number;
  limit: number;
}

/** A condition on the id that selects enough events of each run, because no index holds several runs in one order. */
function idsWithin(runs: readonly SortedRun[], values: Conditions, { from, skip, limit }: Stretch): string {
  const [than, id, order] = 'after' in from ? ['>', from.after, 'asc'] : ['<=', from.downFrom, 'desc'];
  const ids = runs.map(
    (run, place) => `select id from (select id from events where ${inRunFrom(run, values, than, id)}
      order by id ${order} limit ${values.place(limit)} offset ${values.place(skip)}) run_${place}`,
  );
  return `id in (${ids.join(' union all ')})`;
}
