import type { EntityManager } from 'typeorm';
import { type FigureChange, type Figures, mergedByDay, sumOf } from '../../domain/figures/figures.ts';
import { grouped } from '../../domain/grouped.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { figureColumns, figureValues } from '../entities/figure-columns.ts';
import { type Columns, jsonRows, jsonTable } from '../sql/json-parameters.ts';

const figureTypes: Columns = Object.fromEntries(figureColumns.map((column) => [column, 'bigint']));
const dayTypes: Columns = { coupon_id: 'bigint', day: 'text', ...figureTypes };
const totalTypes: Columns = { coupon_id: 'bigint', ...figureTypes };
const rebuiltTypes: Columns = { version: 'bigint', refreshed_at: 'bigint', ...totalTypes };

const listOf = (columns: Columns): string => Object.keys(columns).join(', ');
const added = (table: string): string => figureColumns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');
const replaced = figureColumns.map((column) => `${column} = excluded.${column}`).join(', ');

export async function addFigures(manager: EntityManager, changes: readonly FigureChange[]): Promise<void> {
  if (changes.length === 0) return;
  // Always in the same order, so that two who write the same coupons wait for each other instead of in a circle.
  const days = mergedByDay(changes).toSorted((one, other) => one.couponId - other.couponId || (one.day < other.day ? -1 : 1));
  await insertDays(manager, days, `on conflict (coupon_id, day) do update set ${added('coupon_days')}`);
  await manager.query(
    `insert into coupon_totals (version, ${listOf(totalTypes)})
     select 1, ${listOf(totalTypes)} from ${jsonTable(manager, totalTypes)} as given where true
     on conflict (coupon_id) do update set version = coupon_totals.version + 1, ${added('coupon_totals')}`,
    jsonRows(totalsOf(days).map(([couponId, total]) => [couponId, ...figureValues(total)])),
  );
}

// `where true`, because SQLite would take "on conflict" for the condition of a join.
const insertDays = (manager: EntityManager, days: readonly FigureChange[], onConflict = ''): Promise<unknown> =>
  manager.query(
    `insert into coupon_days (${listOf(dayTypes)})
     select ${listOf(dayTypes)} from ${jsonTable(manager, dayTypes)} as given where true ${onConflict}`,
    jsonRows(days.map((day) => [day.couponId, day.day, ...figureValues(day)])),
  );

const totalsOf = (days: readonly FigureChange[]): [couponId: number, total: Figures][] =>
  [...grouped(days, ({ couponId }) => couponId)].map(([couponId, own]) => [couponId, sumOf(own)]);

export async function replaceFigures(
  manager: EntityManager,
  couponId: number,
  version: number,
  days: readonly FigureChange[],
  refreshedAt: number,
): Promise<boolean> {
  const [kept]: { version: unknown }[] = await manager.query('select version from coupon_totals where coupon_id = $1', [couponId]);
  if (toSafeInteger(kept?.version ?? 0) !== version) return false;
  await manager.query('delete from coupon_days where coupon_id = $1', [couponId]);
  await insertDays(manager, days);
  await manager.query(
    `insert into coupon_totals (${listOf(rebuiltTypes)})
     select ${listOf(rebuiltTypes)} from ${jsonTable(manager, rebuiltTypes)} as given where true
     on conflict (coupon_id) do update set version = excluded.version, refreshed_at = excluded.refreshed_at, ${replaced}`,
    jsonRows([[version + 1, refreshedAt, couponId, ...figureValues(sumOf(days))]]),
  );
  return true;
}
