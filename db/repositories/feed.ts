import type { EntityManager } from 'typeorm';
import type { RecordedEvent } from '../../domain/events/event.ts';
import type { EventFilter, EventStore } from '../../domain/events/store.ts';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import { wholeNumber } from '../columns.ts';
import { Conditions } from '../conditions.ts';
import { orUnavailable } from '../missing-table.ts';
import { beyond, olderOrEqual, type Selection, selectionOf, younger } from './feed-selection.ts';

/** Reads the feed. Writing to it is the last thing that a transaction does: `appendEvents`. */
export const feedStore = (manager: EntityManager): Pick<EventStore, 'after' | 'newest'> => ({
  after: (cursor, filter, limit) => orUnavailable(after(manager, cursor, filter, limit)),
  newest: (filter, page) => orUnavailable(newest(manager, filter, page)),
});

/** One statement for each poll. */
async function after(manager: EntityManager, cursor: number, filter: EventFilter, limit: number): Promise<Paged<RecordedEvent>> {
  const selection = selectionOf(filter);
  const values = new Conditions();
  const statement = `select events.*, ${beyond(selection, values, cursor)} as total from events
    where ${younger(selection, values, cursor, limit)} order by id limit ${values.place(limit)}`;
  const rows: (EventRow & { total: unknown })[] = await manager.query(statement, values.values);
  return { items: rows.map(toEvent), total: wholeNumber(rows[0]?.total ?? 0) };
}

async function newest(manager: EntityManager, filter: EventFilter, page: Page): Promise<Paged<RecordedEvent>> {
  const selection = selectionOf(filter);
  const total = await countBeyond(manager, selection, 0);
  if (isPastTheEnd(page, total)) return { items: [], total };
  const { start, skip } = await locate(manager, selection, offsetOf(page));
  const values = new Conditions();
  const statement = `select events.* from events
    where ${olderOrEqual(selection, values, start, page.perPage)}
    order by id desc limit ${values.place(page.perPage)} offset ${values.place(skip)}`;
  const rows: EventRow[] = await manager.query(statement, values.values);
  return { items: rows.map(toEvent), total };
}

async function countBeyond(manager: EntityManager, selection: Selection, cursor: number): Promise<number> {
  const values = new Conditions();
  const [row]: { total: unknown }[] = await manager.query(`select ${beyond(selection, values, cursor)} as total`, values.values);
  return wholeNumber(row?.total);
}

/** Where a page begins: an id, and how many to skip from there. OFFSET reads all that it skips, so it is used only where nothing else helps. */
async function locate(manager: EntityManager, selection: Selection, offset: number): Promise<{ start: number; skip: number }> {
  const [row]: { last: unknown }[] = await manager.query('select max(id) as last from events');
  const last = wholeNumber(row?.last);
  if (selection.by === 'user') return { start: last, skip: offset };
  if (selection.kinds.length === 0) return { start: last - offset, skip: 0 };
  return { start: offset === 0 ? last : await search(manager, selection, offset, last), skip: 0 };
}

/** The lowest id beyond which no more than so many lie, by halving: each count is a few looks into an index. */
async function search(manager: EntityManager, selection: Selection, offset: number, last: number): Promise<number> {
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await countBeyond(manager, selection, middle)) <= offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface EventRow {
  id: unknown;
  kind: RecordedEvent['kind'];
  type: RecordedEvent['type'];
  object_type: RecordedEvent['objectType'];
  object_id: unknown;
  user_id: unknown;
  info: string;
  data: string | null;
  created_at: unknown;
}

const toEvent = ({ id, kind, type, object_type, object_id, user_id, info, data, created_at }: EventRow): RecordedEvent => ({
  id: wholeNumber(id),
  kind,
  type,
  objectType: object_type,
  objectId: wholeNumber(object_id),
  userId: wholeNumber(user_id),
  info,
  data: data === null ? null : JSON.parse(data),
  at: wholeNumber(created_at),
});
