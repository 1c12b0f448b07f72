import type { EntityManager } from 'typeorm';

interface Index {
  name: string;
  /** Of its table, with the schema. */
  table: string;
  /** In order. */
  columns: string;
  /** True for an index of all rows. */
  condition: string;
}

/** Every index of plain columns in the schema of the service, as far as this role may read the table. */
const selectIndexes = `
  select indexrelid::regclass::text as name, indrelid::regclass::text as table, coalesce(pg_get_expr(indpred, indrelid), 'true') as condition,
    (select string_agg(quote_ident(attname), ', ' order by place) from unnest(indkey::smallint[]) with ordinality as keyed (number, place)
     join pg_attribute on attrelid = indrelid and attnum = number where place <= indnkeyatts) as columns
  from pg_index join pg_class on pg_class.oid = indrelid
  where relkind = 'r' and indisvalid and indexprs is null and has_table_privilege(indrelid, 'select')
    and relnamespace = (select relnamespace from pg_class where oid = to_regclass('migrations'))
  order by 2, 1`;

const allow = (settings: Record<string, boolean>): string =>
  `select ${Object.entries(settings)
    .map(([name, isAllowed]) => `set_config('enable_${name}', '${isAllowed ? 'on' : 'off'}', true)`)
    .join(', ')}`;
const byTable = allow({ seqscan: true, sort: true, indexscan: false, indexonlyscan: false, bitmapscan: false });
const byIndex = allow({ seqscan: false, sort: false, incremental_sort: false, indexscan: true, indexonlyscan: true, bitmapscan: false });

/** Counts the rows of each table without its indexes, and then by each of them. Changes settings of the transaction. */
export async function findIncompleteIndex(manager: EntityManager): Promise<string | null> {
  const indexes: Index[] = await manager.query(selectIndexes);
  const countAll = async (setting: string, rowsOf: (index: Index) => string): Promise<string[]> => {
    await manager.query(setting);
    const counts: string[] = [];
    for (const index of indexes) {
      const [row]: { count: string }[] = await manager.query(`select count(*) from (${rowsOf(index)}) as found`);
      counts.push(row?.count ?? '');
    }
    return counts;
  };
  const inTables = await countAll(byTable, ({ table, condition }) => `select 1 from only ${table} where ${condition}`);
  const inIndexes = await countAll(
    byIndex,
    ({ table, condition, columns }) => `select 1 from only ${table} where ${condition} order by ${columns}`,
  );
  const at = indexes.findIndex((_, place) => inTables[place] !== inIndexes[place]);
  const index = indexes[at];
  return index ? `the index ${index.name} has ${inIndexes[at]} of ${inTables[at]} rows of ${index.table}` : null;
}
