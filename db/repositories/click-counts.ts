import type { EntityManager } from 'typeorm';
import { toSafeInteger } from '../entities/columns.ts';
import { type Columns, jsonRows, jsonTable } from '../sql/json-parameters.ts';

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
  if (rows.length === 0) return;
  const days = summed(rows.map(({ coupon_id, day }) => ({ couponId: toSafeInteger(coupon_id), day, count: 1 })));
  const totals = summed(days.map((count) => ({ ...count, day: '' })));
  await manager.query(
    addTo(manager, 'click_days', { coupon_id: 'bigint', day: 'text' }, figure),
    jsonRows(days.map(({ couponId, day, count }) => [couponId, day, count])),
  );
  await manager.query(
    addTo(manager, 'click_totals', { coupon_id: 'bigint' }, figure),
    jsonRows(totals.map(({ couponId, count }) => [couponId, count])),
  );
}

/** In one order, so that two who write the same coupons wait for each other instead of in a circle. */
function summed(counts: readonly Count[]): Count[] {
  const sums = new Map<string, Count>();
  for (const { couponId, day, count } of counts) {
    const key = `${couponId} ${day}`;
    sums.set(key, { couponId, day, count: (sums.get(key)?.count ?? 0) + count });
  }
  return [...sums.values()].sort((one, other) => one.couponId - other.couponId || (one.day < other.day ? -1 : 1));
}

function addTo(manager: EntityManager, table: string, key: Columns, figure: Figure): string {
  const names = Object.keys(key).join(', ');
  const added = figure === 'clicks' ? 'added, 0' : '0, added';
  return `
    insert into ${table} (${names}, clicks, conversions)
    select ${names}, ${added} from ${jsonTable(manager, { ...key, added: 'bigint' })} as given where true
    on conflict (${names}) do update set ${figure} = ${table}.${figure} + excluded.${figure}`;
}
