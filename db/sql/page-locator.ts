import type { EntityManager } from 'typeorm';
import { toSafeInteger } from '../entities/columns.ts';

/** How many there are of each day: a select of `day` and `own`. */
interface DayCounts {
  select: string;
  values: readonly unknown[];
}

interface Place {
  offset: number;
  /** Of all days together. */
  total: number;
  direction: 'asc' | 'desc';
}

/** Up to here it is cheaper to step over rows than to look where the counts lead. */
export const nearby = 200;

/**
 * The day on which a list of rows by day has the row at this place, and how many come before that day: so that of a far page only the rows
 * of one day have to be stepped over. Days are passed by their counts, from the end that is nearer. Just one day holds the row, so nothing
 * has to be sorted and days beyond it are not even read.
 */
export async function dayReached(
  manager: EntityManager,
  { select, values }: DayCounts,
  { offset, total, direction }: Place,
): Promise<{ day: string; before: number } | null> {
  const isFromTheEnd = offset > total / 2;
  const way = isFromTheEnd === (direction === 'asc') ? 'desc' : 'asc';
  const place = `$${values.length + 1}`;
  const passing = `select day, own, sum(own) over (order by day ${way} rows unbounded preceding) as passed from (${select}) as days`;
  const [row]: Record<string, unknown>[] = await manager.query(
    `select day, own, passed from (${passing}) as passing where passed > ${place} and passed - own <= ${place} limit 1`,
    [...values, isFromTheEnd ? total - 1 - offset : offset],
  );
  if (!row) return null;
  const passed = toSafeInteger(row['passed']);
  return { day: String(row['day']), before: isFromTheEnd ? total - passed : passed - toSafeInteger(row['own']) };
}
