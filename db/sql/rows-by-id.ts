import type { EntityManager } from 'typeorm';
import { askedTogether } from '../engine/batch-loader.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { isAmong } from './json-parameters.ts';
import { manyRows } from './json-select.ts';

/** What is asked of a table by a column that tells its rows apart. */
export interface Question {
  table: string;
  key: string;
  columns: readonly string[];
}

type Rows = ReadonlyMap<number, Record<string, unknown>>;

/** Rows by their ids, as far as there are any; of everybody who asks at the same time in one statement. */
export async function rowsById(manager: EntityManager, question: Question, ids: readonly number[]): Promise<Rows> {
  if (ids.length === 0) return new Map();
  return askedTogether(manager, question, ids, async (lists) => {
    const rows = await ask(manager, question, [...new Set(lists.flat())]);
    return lists.map(() => rows);
  });
}

export const rowById = async (manager: EntityManager, question: Question, id: number): Promise<Record<string, unknown> | null> =>
  (await rowsById(manager, question, [id])).get(id) ?? null;

async function ask(manager: EntityManager, { table, key, columns }: Question, ids: number[]): Promise<Rows> {
  const select = `select ${columns.join(', ')} from ${table} where ${key} ${isAmong(manager, 'bigint')}`;
  const rows = await manyRows(manager, columns, select, [JSON.stringify(ids)]);
  return new Map(rows.map((row) => [toSafeInteger(row[key]), row]));
}
