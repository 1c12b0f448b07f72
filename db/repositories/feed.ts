import type { EntityManager } from 'typeorm';
import type { RecordedEvent } from '../../domain/events/event.ts';
import type { EventFilter, EventStore } from '../../domain/events/store.ts';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { Conditions } from '../sql/conditions.ts';
import { manyRows } from '../sql/json-select.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { beyond, type Run, runsOf, type Stretch, within } from './feed-query.ts';

/** Reads the feed. Writing to it is the last thing that a transaction does: `appendEvents`. */
export const feedStore = (manager: EntityManager): Pick<EventStore, 'after' | 'newest'> => ({
  after: (cursor, filter, limit) => orUnavailable(after(manager, cursor, filter, limit)),
  newest: (filter, page) => orUnavailable(newest(manager, filter, page)),
});

/** One statement for each poll. */
async function after(manager: EntityManager, cursor: number, filter: EventFilter, limit: number): Promise<Paged<RecordedEvent>> {
  const runs = runsOf(filter);
  const values = new Conditions();
  const statement = `select ${eventColumns.join(', ')}, ${beyond(runs, values, cursor)} as total from events
    where ${within(runs, values, { from: { after: cursor }, skip: 0, limit })} order by id limit ${values.place(limit)}`;
  const rows = await manyRows(manager, [...eventColumns, 'total'], statement, values.values);
  return { items: rows.map(toEvent), total: toSafeInteger(rows[0]?.total ?? 0) };
}

async function newest(manager: EntityManager, filter: EventFilter, page: Page): Promise<Paged<RecordedEvent>> {
  const runs = runsOf(filter);
  const total = await countBeyond(manager, runs, 0);
  if (isPastTheEnd(page, total)) return { items: [], total };
  const stretch = { ...(await locate(manager, runs, offsetOf(page))), limit: page.perPage };
  const values = new Conditions();
  const statement = `select ${eventColumns.join(', ')} from events where ${within(runs, values, stretch)} order by id desc limit ${values.place(page.perPage)}`;
  const rows = await manyRows(manager, eventColumns, statement, values.values);
  return { items: rows.map(toEvent), total };
}

async function countBeyond(manager: EntityManager, runs: readonly Run[], cursor: number): Promise<number> {
  const values = new Conditions();
  const [row]: { total: unknown }[] = await manager.query(`select ${beyond(runs, values, cursor)} as total`, values.values);
  return toSafeInteger(row?.total);
}

/** Where a page begins. Numbers without gaps lead there at once or by halving; only what has no such number is skipped one by one. */
async function locate(manager: EntityManager, runs: readonly Run[], offset: number): Promise<Omit<Stretch, 'limit'>> {
  const [row]: { last: unknown }[] = await manager.query('select max(id) as last from events');
  const last = toSafeInteger(row?.last);
  const number = runs[0]?.number ?? null;
  if (number === null) return { from: { downFrom: last }, skip: offset };
  const downFrom = number === 'id' ? last - offset : await search(manager, runs, offset, last);
  return { from: { downFrom }, skip: 0 };
}

/** The lowest id beyond which no more than so many lie. Each count is a few looks into an index. */
async function search(manager: EntityManager, runs: readonly Run[], offset: number, last: number): Promise<number> {
  if (offset === 0) return last;
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await countBeyond(manager, runs, middle)) <= offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

const eventColumns = ['id', 'kind', 'type', 'object_type', 'object_id', 'user_id', 'info', 'data', 'created_at'] as const;

const toEvent = (row: Record<(typeof eventColumns)[number], unknown>): RecordedEvent => ({
  id: toSafeInteger(row.id),
  kind: row.kind as RecordedEvent['kind'],
  type: row.type as RecordedEvent['type'],
  objectType: row.object_type as RecordedEvent['objectType'],
  objectId: toSafeInteger(row.object_id),
  userId: toSafeInteger(row.user_id),
  info: String(row.info),
  data: row.data === null ? null : JSON.parse(String(row.data)),
  at: toSafeInteger(row.created_at),
});
