import type { EntityManager, EntitySchema } from 'typeorm';
import { toSafeInteger } from '../entities/columns.ts';
import { type ColumnSource, columnSources, isPostgres, type Projection } from './projection.ts';

type ColumnType = 'bigint' | 'text';

type Columns = Readonly<Record<string, ColumnType>>;

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

/**
 * The condition that a key is in a list of ids or words, which is the JSON of `$1`: `where id ${isAmong(manager, 'bigint')}`. PostgreSQL
 * expects a hundred rows of any subquery, and would read a table of ten thousand rows rather than look a hundred up; of an array it expects few.
 */
export const isAmong = (manager: EntityManager, type: ColumnType): string =>
  isPostgres(manager)
    ? `= any (array(select cast(value as ${type}) from jsonb_array_elements_text(cast($1 as jsonb))))`
    : `in (select cast(value as ${type}) from json_each($1))`;

/** The condition that joins a table to the first column of a `jsonTable`; of this, too, PostgreSQL expects a hundred rows. */
export const joinsRow = (manager: EntityManager, key: string, first: string): string =>
  isPostgres(manager)
    ? `${key} = ${first} and ${key} = any (array(select cast(value->>0 as bigint) from jsonb_array_elements(cast($1 as jsonb))))`
    : `${key} = ${first}`;

/** The columns that an object has properties for; the others get their defaults. */
const columnsIn = <Row extends object>(entity: EntitySchema<Row>, object: Partial<Row>): ColumnSource[] =>
  columnSources(entity).filter(({ path }) => path[0] in object);

const listOf = (sources: readonly ColumnSource[]): string => sources.map(({ column }) => column).join(', ');

type ToValues = (object: object) => unknown[];
const compiled = new Map<string, ToValues>();

/**
 * Compiles `row => [to[0](row.id), row.code, …]`: the values of an object as they are stored, in the order of the
 * columns. A loop over the columns instead takes twice as long (benchmark row `import`).
 */
function valuesOf<Row extends object>(entity: EntitySchema<Row>, sources: readonly ColumnSource[]): ToValues {
  const key = `${entity.options.name} ${listOf(sources)}`;
  const known = compiled.get(key);
  if (known) return known;
  const values = sources.map(({ path, transformer }, place) => {
    const value = `row${path.map((name) => `[${JSON.stringify(name)}]`).join('')}`;
    return transformer ? `to[${place}](${value})` : value;
  });
  const make = new Function('to', `return (row) => [${values.join(', ')}]`);
  const toValues: ToValues = make(sources.map(({ transformer }) => transformer?.to));
  compiled.set(key, toValues);
  return toValues;
}

/**
 * Inserts any number of rows, all with the same properties, by one statement. `clauses` follow it: `on conflict …`, `returning …`.
 * `computed` has further columns as expressions over the row. Returns what the statement returns.
 */
export async function insertRows<Row extends object>(
  manager: EntityManager,
  entity: EntitySchema<Row>,
  rows: readonly Partial<NoInfer<Row>>[],
  clauses = '',
  computed: Record<string, string> = {},
): Promise<Record<string, unknown>[]> {
  const [first] = rows;
  if (!first) return [];
  const sources = columnsIn(entity, first);
  const types = Object.fromEntries(sources.map(({ column, type }) => [column, type]));
  // `where true`, because SQLite would take "on conflict" for the condition of a join.
  const sql = `
    insert into ${entity.options.name} (${[listOf(sources), ...Object.keys(computed)].join(', ')})
    select ${[listOf(sources), ...Object.values(computed)].join(', ')}
    from ${jsonTable(manager, types)} as given where true ${clauses}`;
  return manager.query(sql, jsonRows(rows.map(valuesOf(entity, sources))));
}

/** For "on conflict … do update set": takes the columns from the new row. */
export const assignExcluded = ({ columns }: Projection<unknown>): string =>
  columns.map((column) => `${column} = excluded.${column}`).join(', ');

/** For the same: adds the columns of the new row to those of the stored one. */
export const addExcluded = (table: string, { columns }: Projection<unknown>): string =>
  columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');

/**
 * Returns the id of the new row, or null where a unique value of it exists already. TypeORM's `orIgnore()` does not tell on SQLite, and an
 * error of the unique index would end the transaction on PostgreSQL.
 */
export async function insertIfAbsent<Row extends object>(
  manager: EntityManager,
  entity: EntitySchema<Row>,
  row: Partial<NoInfer<Row>>,
  overriding = '',
): Promise<number | null> {
  const sources = columnsIn(entity, row);
  const places = sources.map((_source, index) => `$${index + 1}`).join(', ');
  const [inserted]: { id: unknown }[] = await manager.query(
    `insert into ${entity.options.name} (${listOf(sources)})${overriding} values (${places}) on conflict do nothing returning id`,
    valuesOf(entity, sources)(row),
  );
  return inserted ? toSafeInteger(inserted.id) : null;
}

/**
 * Inserts a row with its own id, which must be free, or with the next one. SQLite continues its sequence after such an id by itself;
 * PostgreSQL's sequence has to be moved. The lock keeps other inserts out, or the sequence could be set back behind an id just assigned.
 *
 * A conflict with a row that was committed since this transaction began is a serialisation failure, which is retried; with "on conflict"
 * PostgreSQL reports it as one.
 */
export async function insertWithId<Row extends { id: number }>(
  manager: EntityManager,
  entity: EntitySchema<Row>,
  row: Partial<NoInfer<Row>>,
  id: number | null,
): Promise<number> {
  const table = entity.options.name;
  const isReserved = id !== null && isPostgres(manager);
  if (isReserved) await manager.query(`lock table ${table} in share row exclusive mode`);
  const values = id === null ? row : { id, ...row };
  const inserted = await insertIfAbsent(manager, entity, values, isReserved ? ' overriding system value' : '');
  if (inserted === null) throw new Error(`A row of ${table} with these values exists already.`);
  if (isReserved) await manager.query(`select setval('${table}_id_seq', greatest($1, last_value)) from ${table}_id_seq`, [id]);
  return inserted;
}
