import type { EntityManager } from 'typeorm';
import { isPostgres } from './query.ts';

type ColumnType = 'bigint' | 'text';

export type Columns = Readonly<Record<string, ColumnType>>;

/**
 * A table with these columns whose rows are the one parameter `$1`, as `jsonRows` makes it. The statement stays the same and short for any
 * number of rows: with a parameter for each value, SQLite would take a second to parse a thousand rows.
 */
export function jsonTable(manager: EntityManager, columns: Columns): string {
  const each = isPostgres(manager) ? 'jsonb_array_elements(cast($1 as jsonb))' : 'jsonb_each($1)';
  const list = Object.entries(columns).map(([name, type], place) => `cast(value->>${place} as ${type}) as ${name}`);
  return `(select ${list.join(', ')} from ${each})`;
}

/** The parameter of `jsonTable`: the values of each row in the order of its columns. */
export const jsonRows = (rows: readonly (readonly unknown[])[]): [string] => [JSON.stringify(rows)];

/** A list of ids or words, which is the JSON of `$1`: `where id in ${jsonList(manager, 'bigint')}`. */
export const jsonList = (manager: EntityManager, type: ColumnType): string => {
  const each = isPostgres(manager) ? 'jsonb_array_elements_text(cast($1 as jsonb))' : 'json_each($1)';
  return `(select cast(value as ${type}) from ${each})`;
};

/**
 * The condition that a key is in the list: `where id ${isAmong(manager, 'bigint')}`. PostgreSQL estimates a hundred rows for any subquery,
 * and would read a table of ten thousand rows rather than look a hundred up; for an array it expects few.
 */
export const isAmong = (manager: EntityManager, type: ColumnType): string =>
  isPostgres(manager) ? `= any (array${jsonList(manager, type)})` : `in ${jsonList(manager, type)}`;
