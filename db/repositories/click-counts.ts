import type { EntityManager } from 'typeorm';
import { wholeNumber } from '../columns.ts';
import { chunksOf, tuples } from '../tuples.ts';

/** A click that is new, or new among those that converted. */
export interface Counted {
  coupon_id: unknown;
  day: string;
}

type Figure = 'clicks' | 'conversions';

interface Count {
  couponId: number;
  day: string;
  count: number;
}

/** Keeps the counts by day and in all up to date with what was just written. */
export async function countClicks(manager: EntityManager, figure: Figure, rows: readonly Counted[]): Promise<void> {
  const days = byKey(rows.map(({ coupon_id, day }) => ({ couponId: wholeNumber(coupon_id), day, count: 1 })));
  const totals = byKey(days.map((count) => ({ ...count, day: '' })));
  for (const chunk of chunksOf(days))
    await manager.query(
      addTo('click_days', ['coupon_id', 'day'], figure, chunk.length),
      chunk.flatMap(({ couponId, day, count }) => [couponId, day, ...inBoth(figure, count)]),
    );
  for (const chunk of chunksOf(totals))
    await manager.query(
      addTo('click_totals', ['coupon_id'], figure, chunk.length),
      chunk.flatMap(({ couponId, count }) => [couponId, ...inBoth(figure, count)]),
    );
}

const inBoth = (figure: Figure, count: number): [number, number] => (figure === 'clicks' ? [count, 0] : [0, count]);

/** Summed up, and in one order, so that two writers never wait for each other in a circle. */
function byKey(counts: readonly Count[]): Count[] {
  const sums = new Map<string, Count>();
  for (const { couponId, day, count } of counts) {
    const key = `${couponId} ${day}`;
    sums.set(key, { couponId, day, count: (sums.get(key)?.count ?? 0) + count });
  }
  return [...sums.values()].sort((one, other) => one.couponId - other.couponId || (one.day < other.day ? -1 : 1));
}

const addTo = (table: string, key: string[], figure: Figure, rows: number): string => `
  insert into ${table} (${key.join(', ')}, clicks, conversions) values ${tuples(
    rows,
    [...key, 'clicks', 'conversions'].map(() => null),
  )}
  on conflict (${key.join(', ')}) do update set ${figure} = ${table}.${figure} + excluded.${figure}`;
