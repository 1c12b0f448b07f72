import type { EventFilter } from '../../domain/events/store.ts';
import type { EventKind } from '../../generated/events.ts';
import type { Conditions } from '../conditions.ts';

/**
 * Which events. All of them, and those of a kind, are numbered without gaps, so that their count is the difference of two numbers. Those of
 * a user are counted one by one, from an index.
 */
export type Selection = { by: 'kind'; kinds: readonly EventKind[] } | { by: 'user'; userId: number; kinds: readonly EventKind[] };

export function selectionOf({ userId, kinds }: EventFilter): Selection {
  const each = [...new Set(kinds)];
  return userId === null ? { by: 'kind', kinds: each } : { by: 'user', userId, kinds: each };
}

/** A run of events that one number counts: all by their ids, those of one kind by their ordinals. */
interface Run {
  number: 'id' | 'ordinal';
  kind: EventKind | null;
}

const runsOf = (kinds: readonly EventKind[]): Run[] =>
  kinds.length === 0 ? [{ number: 'id', kind: null }] : kinds.map((kind) => ({ number: 'ordinal', kind }));

// Values are placed in the order in which they stand in the statement, which is the order in which these are called.

const inRun = (values: Conditions, { kind }: Run): string => (kind === null ? 'true' : `kind = ${values.place(kind)}`);

/** How many there are beyond a cursor, as an expression. */
export function beyond(selection: Selection, values: Conditions, cursor: number): string {
  if (selection.by === 'user') return `(select count(*) from events where ${ofUser(selection, values, '>', cursor)})`;
  const counts = runsOf(selection.kinds).map(
    (run) => `coalesce(
      (select ${run.number} from events where ${inRun(values, run)} order by id desc limit 1)
      - (select ${run.number} from events where ${inRun(values, run)} and id > ${values.place(cursor)} order by id limit 1) + 1, 0)`,
  );
  return counts.join(' + ');
}

/** The first so many beyond a cursor, as a condition. */
export const younger = (selection: Selection, values: Conditions, cursor: number, limit: number): string =>
  selection.by === 'user'
    ? ofUser(selection, values, '>', cursor)
    : merged(selection.kinds, values, { than: '>', cursor, order: 'asc', limit });

/** The last so many up to an id, as a condition. */
export const olderOrEqual = (selection: Selection, values: Conditions, id: number, limit: number): string =>
  selection.by === 'user'
    ? ofUser(selection, values, '<=', id)
    : merged(selection.kinds, values, { than: '<=', cursor: id, order: 'desc', limit });

function ofUser({ userId, kinds }: Selection & { by: 'user' }, values: Conditions, than: '>' | '<=', cursor: number): string {
  const user = `user_id = ${values.place(userId)} and id ${than} ${values.place(cursor)}`;
  return kinds.length === 0 ? user : `${user} and kind in (${kinds.map((kind) => values.place(kind)).join(', ')})`;
}

interface Stretch {
  than: '>' | '<=';
  cursor: number;
  order: 'asc' | 'desc';
  limit: number;
}

/** Enough of each run to choose from, each read from its index: with several kinds no index has them all in order. */
function merged(kinds: readonly EventKind[], values: Conditions, { than, cursor, order, limit }: Stretch): string {
  const ids = runsOf(kinds).map(
    (run, at) => `select id from (select id from events where ${inRun(values, run)} and id ${than} ${values.place(cursor)}
      order by id ${order} limit ${values.place(limit)}) run_${at}`,
  );
  return `id in (${ids.join(' union all ')})`;
}
