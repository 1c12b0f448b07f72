import type { EntityManager } from 'typeorm';
import { wholeNumber } from './columns.ts';
import { jsonList } from './json-rows.ts';
import { manyRows } from './many-rows.ts';

/** What is asked of a table by a column that tells its rows apart. */
export interface Question {
  table: string;
  key: string;
  columns: readonly string[];
}

type Rows = ReadonlyMap<number, Record<string, unknown>>;

interface Round {
  ids: Set<number>;
  rows: Promise<Rows>;
}

/** The rounds that are still open, of each view. */
const rounds = new WeakMap<EntityManager, Map<Question, Round>>();

/**
 * Rows by their ids, as far as there are any. Whoever asks the same question of the same view in the same turn of the event loop is
 * answered by the same statement, which takes hardly longer for thirty ids than for one.
 */
export async function rowsById(manager: EntityManager, question: Question, ids: readonly number[]): Promise<Rows> {
  if (ids.length === 0) return new Map();
  const round = openRound(manager, question);
  for (const id of ids) round.ids.add(id);
  return round.rows;
}

export const rowById = async (manager: EntityManager, question: Question, id: number): Promise<Record<string, unknown> | null> =>
  (await rowsById(manager, question, [id])).get(id) ?? null;

function openRound(manager: EntityManager, question: Question): Round {
  const open = rounds.get(manager) ?? new Map<Question, Round>();
  rounds.set(manager, open);
  const joined = open.get(question);
  if (joined) return joined;
  const ids = new Set<number>();
  const rows = everybodyHasAsked().then(() => {
    open.delete(question);
    return ask(manager, question, [...ids]);
  });
  const round = { ids, rows };
  open.set(question, round);
  return round;
}

/** A tick comes after all promises that are settled by now have told those who wait for them. */
const everybodyHasAsked = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

async function ask(manager: EntityManager, { table, key, columns }: Question, ids: number[]): Promise<Rows> {
  const select = `select ${columns.join(', ')} from ${table} where ${key} in ${jsonList(manager, 'bigint')}`;
  const rows = await manyRows(manager, columns, select, [JSON.stringify(ids)]);
  return new Map(rows.map((row) => [wholeNumber(row[key]), row]));
}
