import type { EntityManager } from 'typeorm';

/**
 * Rows of a page, with these columns of what is selected. On SQLite they come as one text, in their order: its driver hands rows over
 * value by value, which takes three times as long as to write and read that text.
 */
export async function manyRows<Name extends string>(
  manager: EntityManager,
  columns: readonly Name[],
  select: string,
  values: unknown[],
): Promise<Record<Name, unknown>[]> {
  if (manager.connection.options.type === 'postgres') return manager.query(select, values);
  const packed = `select json_group_array(json_array(${columns.join(', ')})) as packed from (${select})`;
  const [row]: { packed: string }[] = await manager.query(packed, values);
  return (JSON.parse(row?.packed ?? '[]') as unknown[][]).map((values) => rowOf(columns, values));
}

function rowOf<Name extends string>(columns: readonly Name[], values: readonly unknown[]): Record<Name, unknown> {
  const row = {} as Record<Name, unknown>;
  for (const [place, column] of columns.entries()) row[column] = values[place];
  return row;
}
