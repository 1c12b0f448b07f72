import type { EntityManager } from 'typeorm';
import { toSafeInteger } from '../entities/columns.ts';

interface DayCounts {
  /** Selects `day` and `own`, the number of rows of that day. */
  select: string;
  values: readonly unknown[];
}

interface Position {
  offset: number;
  /** The number of rows of all days. */
  total: number;
  direction: 'asc' | 'desc';
}

/** Up to this offset it is cheaper to skip rows than to locate the day. */
export const cheapOffset = 200;

/**
 * Finds the day that holds the row at this offset, and the number of rows before that day, so that a far page skips the rows of one day
 * instead of all before it (benchmark row `orders-last`). Adds up the counts of days from the nearer end. One day alone holds the row, so nothing is sorted, and days
 * beyond it are not read.
 */
export async function locateDay(
  manager: EntityManager,
  { select, values }: DayCounts,
  { offset, total, direction }: Position,
): Promise<{ day: string; before: number } | null> {
  const isFromTheEnd = offset > total / 2;
  const order = isFromTheEnd === (direction === 'asc') ? 'desc' : 'asc';
  const place = `$${values.length + 1}`;
  const summed = `select day, own, sum(own) over (order by day ${order} rows unbounded preceding) as passed from (${select}) as days`;
  const [row]: Record<string, unknown>[] = await manager.query(
    `select day, own, passed from (${summed}) as summed where passed > ${place} and passed - own <= ${place} limit 1`,
    [...values, isFromTheEnd ? total - 1 - offset : offset],
  );
  if (!row) return null;
  const passed = toSafeInteger(row['passed']);
  return { day: String(row['day']), before: isFromTheEnd ? total - passed : passed - toSafeInteger(row['own']) };
}
