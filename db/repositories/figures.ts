import type { EntityManager } from 'typeorm';
import { type Snapshot, sumOf } from '../../domain/figures/figures.ts';
import type { FigureStore } from '../../domain/figures/store.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { countColumns, figureColumns, toFigures } from '../entities/figure-columns.ts';
import { Conditions } from '../sql/conditions.ts';
import { type KeyedSelect, rowsById } from '../sql/rows-by-id.ts';
import { addFigures, replaceFigures } from './figure-writing.ts';

type Row = Record<string, unknown>;

export const figureStore = (manager: EntityManager): FigureStore => ({
  add: (changes) => addFigures(manager, changes),
  anyDays: async () => (await manager.query(firstDay)).length > 0,
  snapshotsOf: (couponIds) => snapshotsOf(manager, couponIds),
  inRange: async (couponIds, range) => {
    const rows = await sums(manager, 'coupon_id', new Conditions().isOneOf('coupon_id', couponIds).within('day', range));
    return new Map(rows.map((row) => [toSafeInteger(row['coupon_id']), toFigures(row)]));
  },
  byDay: async (couponIds, range) => {
    const rows = await sums(manager, 'day', new Conditions().isOneOf('coupon_id', couponIds).within('day', range));
    return rows.map((row) => ({ day: String(row['day']), ...toFigures(row) }));
  },
  claimRefresh: (couponId, now, seconds) => claimRefresh(manager, couponId, now, seconds * 1000),
  replace: (couponId, version, days, refreshedAt) => replaceFigures(manager, couponId, version, days, refreshedAt),
});

const firstDay = `
  select 1 where exists (select 1 from orders) or exists (select 1 from clicks) or exists (select 1 from payouts)`;

export const totalsColumns = ['coupon_id', 'version', 'refreshed_at', ...figureColumns];
const storedTotals: KeyedSelect = { table: 'coupon_totals', key: 'coupon_id', columns: totalsColumns };

async function snapshotsOf(manager: EntityManager, couponIds: readonly number[]): Promise<Map<number, Snapshot>> {
  const rows = await rowsById(manager, storedTotals, couponIds);
  return new Map(couponIds.map((id) => [id, toSnapshot(id, rows.get(id))]));
}

/** A coupon without a row, or with a row of nulls from a left join, has no orders yet. */
export function toSnapshot(couponId: number, row: Row | undefined): Snapshot {
  if (!row || row['coupon_id'] === null) return { couponId, version: 0, refreshedAt: null, ...sumOf([]) };
  const refreshedAt = row['refreshed_at'] === null ? null : toSafeInteger(row['refreshed_at']);
  return { couponId, version: toSafeInteger(row['version']), refreshedAt, ...toFigures(row) };
}

const summed = figureColumns.map((column) => `sum(${column}) as ${column}`).join(', ');
// A day whose orders all moved elsewhere keeps its row.
const anyOrder = `sum(${countColumns.join(' + ')}) > 0`;

const sums = (manager: EntityManager, by: 'coupon_id' | 'day', { where, values }: Conditions): Promise<Row[]> =>
  manager.query(`select ${by}, ${summed} from coupon_days ${where} group by ${by} having ${anyOrder} order by ${by}`, values);

// A claim from the future is of a clock that was wrong, and would otherwise hold for as long as the clock was ahead.
const claim = `
  insert into coupon_totals (coupon_id, refresh_claimed_at) values ($1, $2)
  on conflict (coupon_id) do update set refresh_claimed_at = excluded.refresh_claimed_at
  where coupon_totals.refresh_claimed_at is null or coupon_totals.refresh_claimed_at not between $3 and $4
  returning coupon_id`;

async function claimRefresh(manager: EntityManager, couponId: number, now: number, length: number): Promise<number> {
  const claimed: Row[] = await manager.query(claim, [couponId, now, now - length + 1, now + length - 1]);
  if (claimed.length > 0) return 0;
  const [row]: Row[] = await manager.query('select refresh_claimed_at from coupon_totals where coupon_id = $1', [couponId]);
  return Math.min(Math.ceil((toSafeInteger(row?.['refresh_claimed_at']) + length - now) / 1000), length / 1000);
}
