import type { EventFilter } from '../../domain/events/store.ts';
import type { EventKind } from '../../generated/events.ts';
import type { Conditions } from '../sql/conditions.ts';

/** Events that one index holds in their order. What is asked for is one run, or several that are merged. */
export interface Run {
  kinds: readonly EventKind[];
  userId: number | null;
  /** Numbers them without a gap, so that their count is a difference. Null: they are counted one by one, from the index. */
  number: 'id' | 'ordinal' | null;
}

export function runsOf({ userId, kinds }: EventFilter): Run[] {
  const each = [...new Set(kinds)];
  if (userId !== null) return [{ userId, kinds: each, number: null }];
  if (each.length === 0) return [{ userId, kinds: [], number: 'id' }];
  return each.map((kind) => ({ userId, kinds: [kind], number: 'ordinal' }));
}

// Values take their places in the order in which they stand in the statement, which is the order of these calls.

function partsOf({ userId, kinds }: Run, values: Conditions): string[] {
  const parts: string[] = [];
  if (userId !== null) parts.push(`user_id = ${values.place(userId)}`);
  if (kinds.length === 1) parts.push(`kind = ${values.place(kinds[0])}`);
  if (kinds.length > 1) parts.push(`kind in (${kinds.map((kind) => values.place(kind)).join(', ')})`);
  return parts;
}

/** The whole run. */
const inRun = (run: Run, values: Conditions): string => partsOf(run, values).join(' and ') || 'id > 0';

/** From an id on. Without `id > 0` beside it: SQLite would look for that one in the index, and go through all up to the cursor. */
const inRunFrom = (run: Run, values: Conditions, than: string, id: number): string =>
  [...partsOf(run, values), `id ${than} ${values.place(id)}`].join(' and ');

/** How many there are beyond a cursor, as an expression. */
export const beyond = (runs: readonly Run[], values: Conditions, cursor: number): string =>
  runs.map((run) => beyondIn(run, values, cursor)).join(' + ');

const beyondIn = (run: Run, values: Conditions, cursor: number): string =>
  run.number === null
    ? `(select count(*) from events where ${inRunFrom(run, values, '>', cursor)})`
    : `coalesce(
        (select ${run.number} from events where ${inRun(run, values)} order by id desc limit 1)
        - (select ${run.number} from events where ${inRunFrom(run, values, '>', cursor)} order by id limit 1) + 1, 0)`;

export interface Stretch {
  /** Beyond this id, oldest first, or from this id back, newest first. */
  from: { after: number } | { downFrom: number };
  /** Reads all that it skips, if only in the index. */
  skip: number;
  limit: number;
}

/** The ids to choose from, as a condition: enough of each run, because no index has several in one order. */
export function within(runs: readonly Run[], values: Conditions, { from, skip, limit }: Stretch): string {
  const [than, id, order] = 'after' in from ? ['>', from.after, 'asc'] : ['<=', from.downFrom, 'desc'];
  const ids = runs.map(
    (run, at) => `select id from (select id from events where ${inRunFrom(run, values, than, id)}
      order by id ${order} limit ${values.place(limit)} offset ${values.place(skip)}) run_${at}`,
  );
  return `id in (${ids.join(' union all ')})`;
}
