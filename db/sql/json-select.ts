import type { EntityManager } from 'typeorm';
import type { Projection } from './projection.ts';
import { isPostgres } from './query.ts';

// SQLite's driver converts values one by one, which takes three times as long as to write and parse JSON: rows are transferred as JSON arrays.

/** Rows of a statement that selects the columns of the projection, in any order. */
export async function selectRows<Row>(
  manager: EntityManager,
  projection: Projection<Row>,
  select: string,
  values: unknown[],
): Promise<Row[]> {
  if (isPostgres(manager)) return (await manager.query(select, values)).map(projection.toObject);
  const packed = `select json_group_array(json_array(${projection.list()})) as packed from (${select})`;
  const [row]: { packed: string }[] = await manager.query(packed, values);
  return (JSON.parse(row?.packed ?? '[]') as unknown[][]).map(projection.fromValues);
}

type Tables = Record<string, Projection<unknown>>;
/** The object of each table, or null where a left join found no row. */
type Joined<Own extends Tables> = { [Table in keyof Own]: Own[Table] extends Projection<infer Row> ? Row | null : never };

interface JoinedSelect<Own extends Tables> {
  /** The columns to read of each joined table. The first one is its key. */
  tables: Own;
  /** Expressions by name, returned as `computed`. */
  computed?: Record<string, string>;
  /** What precedes SELECT: `with recursive …`. */
  with?: string;
  /** From the FROM clause on. */
  from: string;
}

/** Reads rows of a join as one object per table. */
export async function selectJoined<Own extends Tables>(
  manager: EntityManager,
  { tables, computed = {}, with: prefix = '', from }: JoinedSelect<Own>,
  values: unknown[],
): Promise<(Joined<Own> & { computed: Record<string, unknown> })[]> {
  const array = isPostgres(manager) ? 'json_build_array' : 'json_array';
  const list = [...Object.entries(tables).map(([table, projection]) => projection.list(table)), ...Object.values(computed)];
  const rows: { packed: unknown }[] = await manager.query(`${prefix} select ${array}(${list.join(', ')}) as packed ${from}`, values);
  return rows.map(({ packed }) => unpack(tables, Object.keys(computed), typeof packed === 'string' ? JSON.parse(packed) : packed));
}

function unpack<Own extends Tables>(tables: Own, computed: readonly string[], values: readonly unknown[]) {
  let place = 0;
  const take = (count: number): readonly unknown[] => values.slice(place, (place += count));
  const objects = Object.entries(tables).map(([table, { columns, fromValues }]) => {
    const own = take(columns.length);
    return [table, own[0] === null ? null : fromValues(own)];
  });
  const rest = take(computed.length);
  return { ...Object.fromEntries(objects), computed: Object.fromEntries(computed.map((name, index) => [name, rest[index]])) };
}
