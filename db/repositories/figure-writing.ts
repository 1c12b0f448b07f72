import type { EntityManager } from 'typeorm';
import { type FigureChange, type Figures, mergedByDay, sumOf } from '../../domain/figures/figures.ts';
import { wholeNumber } from '../columns.ts';
import { figureColumns, figureValues } from '../figure-columns.ts';
import { chunksOf, tuples } from '../tuples.ts';

/** Each row carries twelve figures and two or three other values. */
const rowsPerStatement = 500;

const figures = figureColumns.join(', ');
const added = (table: string): string => figureColumns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');
const replaced = figureColumns.map((column) => `${column} = excluded.${column}`).join(', ');

export async function addFigures(manager: EntityManager, changes: readonly FigureChange[]): Promise<void> {
  // Always in the same order, so that two who write the same coupons wait for each other instead of in a circle.
  const days = mergedByDay(changes).toSorted((one, other) => one.couponId - other.couponId || (one.day < other.day ? -1 : 1));
  await writeDays(manager, days, `on conflict (coupon_id, day) do update set ${added('coupon_days')}`);
  for (const totals of chunksOf([...totalsOf(days)], rowsPerStatement)) {
    const values = totals.flatMap(([couponId, total]) => [couponId, 1, ...figureValues(total)]);
    const rows = tuples(totals.length, Array(figureColumns.length + 2).fill(null));
    await manager.query(
      `insert into coupon_totals (coupon_id, version, ${figures}) values ${rows}
       on conflict (coupon_id) do update set version = coupon_totals.version + 1, ${added('coupon_totals')}`,
      values,
    );
  }
}

function totalsOf(days: readonly FigureChange[]): Map<number, Figures> {
  const totals = new Map<number, Figures>();
  for (const day of days) totals.set(day.couponId, sumOf([totals.get(day.couponId) ?? sumOf([]), day]));
  return totals;
}

async function writeDays(manager: EntityManager, days: readonly FigureChange[], onConflict = ''): Promise<void> {
  for (const chunk of chunksOf(days, rowsPerStatement)) {
    const values = chunk.flatMap((day) => [day.couponId, day.day, ...figureValues(day)]);
    const rows = tuples(chunk.length, Array(figureColumns.length + 2).fill(null));
    await manager.query(`insert into coupon_days (coupon_id, day, ${figures}) values ${rows} ${onConflict}`, values);
  }
}

export async function replaceFigures(
  manager: EntityManager,
  couponId: number,
  version: number,
  days: readonly FigureChange[],
  refreshedAt: number,
): Promise<boolean> {
  const [kept]: { version: unknown }[] = await manager.query('select version from coupon_totals where coupon_id = $1', [couponId]);
  if (wholeNumber(kept?.version ?? 0) !== version) return false;
  await manager.query('delete from coupon_days where coupon_id = $1', [couponId]);
  await writeDays(manager, days);
  await manager.query(
    `insert into coupon_totals (coupon_id, version, refreshed_at, ${figures}) values ${tuples(1, Array(figureColumns.length + 3).fill(null))}
     on conflict (coupon_id) do update set version = excluded.version, refreshed_at = excluded.refreshed_at, ${replaced}`,
    [couponId, version + 1, refreshedAt, ...figureValues(sumOf(days))],
  );
  return true;
}
