import type { EntityManager } from 'typeorm';

type ColumnType = 'bigint' | 'text';

export type Columns = Readonly<Record<string, ColumnType>>;

/**
 * Many rows as one value, `$1`, that both engines read as a table with these columns. However many they are, the statement stays the
 * same and short: SQLite looks names like `$4711` up one by one, so that a thousand rows of them take a second to parse.
 */
export function jsonTable(manager: EntityManager, columns: Columns): string {
  const each = manager.connection.options.type === 'postgres' ? 'jsonb_array_elements(cast($1 as jsonb))' : 'jsonb_each($1)';
  return `(select ${list(columns)} from ${each})`;
}

const list = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, type], place) => `cast(value->>${place} as ${type}) as ${name}`)
    .join(', ');

/** The value that goes with it: each row an array of what its columns hold, in their order. */
export const jsonRows = (rows: readonly (readonly unknown[])[]): [string] => [JSON.stringify(rows)];

/** A list of ids or words: `where id in ${jsonList(manager, 'bigint')}`. */
export const jsonList = (manager: EntityManager, type: ColumnType): string => {
  const each = manager.connection.options.type === 'postgres' ? 'jsonb_array_elements_text(cast($1 as jsonb))' : 'json_each($1)';
  return `(select cast(value as ${type}) from ${each})`;
};

/**
 * Whether a key is one of the list: `where id ${isAmong(manager, 'bigint')}`. PostgreSQL takes any list for a hundred, and would rather
 * read ten thousand rows than look a hundred up; of an array it expects few.
 */
export const isAmong = (manager: EntityManager, type: ColumnType): string =>
  manager.connection.options.type === 'postgres' ? `= any (array${jsonList(manager, type)})` : `in ${jsonList(manager, type)}`;
