import type { EntityManager } from 'typeorm';
import type { Found } from '../../domain/ledger/checks.ts';
import { toSafeInteger } from '../entities/columns.ts';

export type Row = Record<string, unknown>;

/** The first rows of a question, in this order, and how many it has in all. */
export async function found<Finding>(
  manager: EntityManager,
  { question, order }: { question: string; order: string },
  limit: number,
  read: (row: Row) => Finding,
): Promise<Found<Finding>> {
  const rows: Row[] = await manager.query(
    `select found.*, count(*) over () as in_all from (${question}) as found order by ${order} limit ${limit}`,
  );
  return { first: rows.map(read), total: toSafeInteger(rows[0]?.['in_all'] ?? 0) };
}

export const listed = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');
