import type { EntityManager } from 'typeorm';
import { toSafeInteger } from '../entities/columns.ts';
import { isAmong } from './json-parameters.ts';
import { manyRows } from './json-select.ts';

/** Selects rows of a table by a unique column. */
export interface KeyedSelect {
  table: string;
  key: string;
  columns: readonly string[];
}

/** Returns the rows that exist, by key. */
export async function rowsById(
  manager: EntityManager,
  { table, key, columns }: KeyedSelect,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Record<string, unknown>>> {
  if (ids.length === 0) return new Map();
  const select = `select ${columns.join(', ')} from ${table} where ${key} ${isAmong(manager, 'bigint')}`;
  const rows = await manyRows(manager, columns, select, [JSON.stringify(ids)]);
  return new Map(rows.map((row) => [toSafeInteger(row[key]), row]));
}
