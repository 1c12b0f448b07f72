import type { EntityManager } from 'typeorm';
import {
  type FigureChange,
  type FigureRepository,
  type FigureSubject,
  type Figures,
  mergeByDay,
  type Snapshot,
  sumFigures,
} from '../../domain/figures/figures.ts';
import { groupBy } from '../../domain/group-by.ts';
import { clickTotals } from '../entities/clicks.ts';
import { bigint, text } from '../entities/columns.ts';
import { couponDays, couponTotals } from '../entities/figures.ts';
import { orders } from '../entities/orders.ts';
import { payouts } from '../entities/payouts.ts';
import { Conditions } from '../sql/conditions.ts';
import { addExcluded, assignExcluded, insertRows, isAmong } from '../sql/insert.ts';
import { type Projection, projectionOf, selectRows } from '../sql/projection.ts';

// By hand: figures are written with every order (benchmark rows `ingest` and `import`) and read by statistics (benchmark row
// `stats-range`). A refresh is claimed by one statement, so that of concurrent callers one gets it.

export const figureRepository = (manager: EntityManager): FigureRepository => ({
  add: (changes) => addFigures(manager, changes),
  anyDays: async () => (await manager.exists(orders)) || (await manager.exists(clickTotals)) || (await manager.exists(payouts)),
  snapshotsOf: (couponIds) => snapshotsOf(manager, couponIds),
  ofUser: (userId) => ofUser(manager, userId),
  inRange: async (subject, range) => {
    const { where, values } = conditionsOf(subject).within('day', range);
    const [row] = await manager.query(`select ${figures.sums()} from coupon_days ${where}`, values);
    return figures.toObject(row);
  },
  inRangeByCoupon: async (couponIds, range) => {
    const rows = await sums(manager, 'coupon_id', ofCoupon, new Conditions().isOneOf('coupon_id', couponIds).within('day', range));
    return new Map(rows.map(({ couponId, ...own }) => [couponId, own]));
  },
  byDay: (subject, range) => sums(manager, 'day', ofDay, conditionsOf(subject).within('day', range)),
  claimRefresh: (couponId, now, seconds) => claimRefresh(manager, couponId, now, seconds * 1000),
  replace: (couponId, version, days, refreshedAt) => replaceFigures(manager, couponId, version, days, refreshedAt),
});

/** What `coupon_days` and `coupon_totals` have in common. */
const figures = projectionOf(couponDays, ['ordersCount', 'sales', 'discount', 'shipping', 'commission', 'statusCounts']);
const ofDay = figures.plus({ day: text('day') });
const ofCoupon = figures.plus({ couponId: bigint('coupon_id') });
const countColumns = projectionOf(couponDays, ['statusCounts']).columns;

export const snapshotProjection = projectionOf(couponTotals, [
  'couponId',
  'version',
  'refreshedAt',
  'ordersCount',
  'sales',
  'discount',
  'shipping',
  'commission',
  'statusCounts',
]);

/** Of a coupon that never had an order. */
export const emptySnapshot = (couponId: number): Snapshot => ({ couponId, version: 0, refreshedAt: null, ...sumFigures([]) });

async function snapshotsOf(manager: EntityManager, couponIds: readonly number[]): Promise<Map<number, Snapshot>> {
  if (couponIds.length === 0) return new Map();
  const sql = `select ${snapshotProjection.list()} from coupon_totals where coupon_id ${isAmong(manager, 'bigint')}`;
  const stored = await selectRows(manager, snapshotProjection, sql, [JSON.stringify(couponIds)]);
  const byCoupon = new Map(stored.map((snapshot) => [snapshot.couponId, snapshot]));
  return new Map(couponIds.map((couponId) => [couponId, byCoupon.get(couponId) ?? emptySnapshot(couponId)]));
}

const conditionsOf = (subject: FigureSubject): Conditions =>
  'couponId' in subject
    ? new Conditions().and('coupon_id = ?', subject.couponId)
    : new Conditions().and('coupon_id in (select id from coupons where user_id = ?)', subject.userId);

const sumsOfUser = `
  select ${figures.sums()}, count(*) as coupons, coalesce(sum(coupon_totals.version), 0) as writes,
    (select coalesce(sum(version), 0) from program_versions where what = 'owners') as owners
  from coupons left join coupon_totals on coupon_totals.coupon_id = coupons.id where user_id = $1`;

async function ofUser(manager: EntityManager, userId: number): Promise<Figures & { version: string }> {
  const [row] = await manager.query(sumsOfUser, [userId]);
  return { ...figures.toObject(row), version: `${row.coupons} ${row.writes} ${row.owners}` };
}

// A day whose orders all moved elsewhere keeps its row, with counts of zero.
function sums<Row>(manager: EntityManager, by: 'coupon_id' | 'day', projection: Projection<Row>, conditions: Conditions): Promise<Row[]> {
  const { where, values } = conditions;
  const sql = `
    select ${by}, ${figures.sums()} from coupon_days ${where} group by ${by} having sum(${countColumns.join(' + ')}) > 0 order by ${by}`;
  return selectRows(manager, projection, sql, values);
}

async function addFigures(manager: EntityManager, changes: readonly FigureChange[]): Promise<void> {
  if (changes.length === 0) return;
  // Always in the same order, so that two transactions which write the same coupons cannot deadlock.
  const days = mergeByDay(changes).toSorted((one, other) => one.couponId - other.couponId || (one.day < other.day ? -1 : 1));
  const totals = [...groupBy(days, ({ couponId }) => couponId)].map(([couponId, own]) => ({ couponId, version: 1, ...sumFigures(own) }));
  const addTotals = `on conflict (coupon_id) do update set version = coupon_totals.version + 1, ${addExcluded('coupon_totals', figures)}`;
  await Promise.all([
    insertRows(manager, couponDays, days, `on conflict (coupon_id, day) do update set ${addExcluded('coupon_days', figures)}`),
    insertRows(manager, couponTotals, totals, addTotals),
  ]);
}

/** Bounds how long one statement's values block the event loop. */
const daysPerInsert = 1000;

async function replaceFigures(
  manager: EntityManager,
  couponId: number,
  version: number,
  days: readonly FigureChange[],
  refreshedAt: number,
): Promise<boolean> {
  const stored = await manager.findOne(couponTotals, { select: { version: true }, where: { couponId } });
  if ((stored?.version ?? 0) !== version) return false;
  await manager.delete(couponDays, { couponId });
  for (let at = 0; at < days.length; at += daysPerInsert) await insertRows(manager, couponDays, days.slice(at, at + daysPerInsert));
  await insertRows(
    manager,
    couponTotals,
    [{ couponId, version: version + 1, refreshedAt, ...sumFigures(days) }],
    `on conflict (coupon_id) do update set version = excluded.version, refreshed_at = excluded.refreshed_at, ${assignExcluded(figures)}`,
  );
  return true;
}

// A claim in the future was made while the clock was wrong, and would otherwise last as long as the clock was ahead.
const claim = `
  insert into coupon_totals (coupon_id, refresh_claimed_at) values ($1, $2)
  on conflict (coupon_id) do update set refresh_claimed_at = excluded.refresh_claimed_at
  where coupon_totals.refresh_claimed_at is null or coupon_totals.refresh_claimed_at not between $3 and $4
  returning coupon_id`;

async function claimRefresh(manager: EntityManager, couponId: number, now: number, length: number): Promise<number> {
  const claimed: unknown[] = await manager.query(claim, [couponId, now, now - length + 1, now + length - 1]);
  if (claimed.length > 0) return 0;
  const stored = await manager.findOneOrFail(couponTotals, { select: { refreshClaimedAt: true }, where: { couponId } });
  return Math.min(Math.ceil(((stored.refreshClaimedAt ?? 0) + length - now) / 1000), length / 1000);
}
