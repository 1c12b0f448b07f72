import type { EntityManager } from 'typeorm';
import type { ClickCounts } from '../../domain/clicks/repository.ts';
import { type DayRange, isOpen } from '../../domain/dates.ts';
import type {
  AffiliateSales,
  CouponEarnings,
  DaySums,
  ProgramOverview,
  ReportRepository,
  SalesDay,
  SalesDays,
} from '../../domain/reports/repository.ts';
import { bigint, text, toSafeInteger } from '../entities/columns.ts';
import { coupons } from '../entities/coupons.ts';
import { couponDays } from '../entities/figures.ts';
import { isForfeit } from '../entities/ledger.ts';
import { orders } from '../entities/orders.ts';
import { affiliateTotals, programDays, programOverview } from '../entities/program-totals.ts';
import { Conditions } from '../sql/conditions.ts';
import { isAmong } from '../sql/insert.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { type Projection, projectionOf, selectRows } from '../sql/projection.ts';

// By hand: sums over days and rankings (benchmark row `report-range`).

export const reportRepository = (manager: EntityManager): ReportRepository => ({
  overview: () => orUnavailable(overview(manager)),
  awaitingPayment: () => awaitingPayment(manager),
  version: () => orUnavailable(version(manager)),
  sales: (range) => programSum(manager, sales, range),
  clicks: (range) => orUnavailable(programSum(manager, clicks, range)),
  byDay: (range) => byDay(manager, range),
  best: (range, top) => (isOpen(range) ? bestOfAllTime(manager, top) : bestWithin(manager, range, top)),
  salesOf: (userIds, range) => salesOf(manager, userIds, range),
  days: (range) => salesDays(manager, range),
  earnings: (days) => earnings(manager, days),
  earningsAfter: (day, couponId, limit) => earningsAfter(manager, day, couponId, limit),
  ownersOf: (couponIds) => ownersOf(manager, couponIds),
});

type Row = Record<string, unknown>;

const standing = projectionOf(programOverview, ['affiliates', 'coupons', 'balances', 'sources']);
const overviewProjection = standing.plus({
  pendingRegistrations: bigint('pending_registrations'),
  referred: bigint('referred_minor'),
  adjusted: bigint('adjusted_minor'),
  forfeited: bigint('forfeited_minor'),
});

const selectStanding = `
  select ${standing.sums()}, (select count(*) from registrations where status = 'pending') as pending_registrations,
    (select commission_minor from program_totals) as referred_minor,
    (select coalesce(sum(amount_minor), 0) from adjustments) as adjusted_minor,
    (select coalesce(sum(amount_minor), 0) from ledger where ${isForfeit}) as forfeited_minor
  from program_standing`;

async function overview(manager: EntityManager): Promise<ProgramOverview> {
  const [row] = await manager.query(selectStanding);
  const { referred, adjusted, forfeited, sources, ...rest } = overviewProjection.toObject(row);
  return { ...rest, sources: { referred, ...sources, adjusted, forfeited } };
}

async function awaitingPayment(manager: EntityManager): Promise<number> {
  // The condition is spelled out, as the index `orders_awaiting_payment` has it: neither engine applies such an index to a parameter.
  const pending = manager.createQueryBuilder(orders, 'orders').where("orders.status = 'pending'");
  const row = await pending.select('coalesce(sum(orders.commission), 0)', 'commission').getRawOne<{ commission: unknown }>();
  return toSafeInteger(row?.commission);
}

async function version(manager: EntityManager): Promise<string> {
  const [row = {}]: Row[] = await manager.query('select version from program_totals');
  return String(row['version']);
}

const sales = projectionOf(programDays, ['ordersCount', 'sales', 'discount', 'commission']);
const clicks: Projection<ClickCounts> = projectionOf(programDays, ['clicks', 'conversions']);

/** Stored are the sums of each day and of all time. */
async function programSum<Sums>(manager: EntityManager, columns: Projection<Sums>, range: DayRange): Promise<Sums> {
  const { where, values } = new Conditions().within('day', range);
  const sql = isOpen(range) ? `select ${columns.list()} from program_totals` : `select ${columns.sums()} from program_days ${where}`;
  const [row] = await manager.query(sql, values);
  return columns.toObject(row);
}

const daySums: Projection<DaySums> = projectionOf(programDays, [
  'ordersCount',
  'sales',
  'discount',
  'commission',
  'clicks',
  'conversions',
]).plus({
  day: text('day'),
});

function byDay(manager: EntityManager, range: DayRange): Promise<DaySums[]> {
  const { where, values } = new Conditions().within('day', range);
  return selectRows(
    manager,
    daySums,
    `select day, ${sales.sums()}, ${clicks.sums()} from program_days ${where} group by day order by day`,
    values,
  );
}

const affiliateSales = projectionOf(affiliateTotals, ['userId', 'ordersCount', 'sales', 'discount', 'commission']);

function bestOfAllTime(manager: EntityManager, top: number): Promise<AffiliateSales[]> {
  const sql = `select ${affiliateSales.list()} from affiliate_totals where orders_count > 0 order by commission_minor desc, user_id limit $1`;
  return selectRows(manager, affiliateSales, sql, [top]);
}

function bestWithin(manager: EntityManager, range: DayRange, top: number): Promise<AffiliateSales[]> {
  const conditions = new Conditions().within('day', range);
  const limit = conditions.place(top);
  const sql = `
    with of_coupon as materialized (select coupon_id, ${sales.sums()} from coupon_days ${conditions.where} group by coupon_id)
    select user_id, ${sales.sums()} from of_coupon join coupons on coupons.id = of_coupon.coupon_id
    where user_id is not null group by user_id having sum(orders_count) > 0
    order by commission_minor desc, user_id limit ${limit}`;
  return selectRows(manager, affiliateSales, sql, conditions.values);
}

function salesOf(manager: EntityManager, userIds: readonly number[], range: DayRange): Promise<AffiliateSales[]> {
  const { where, values } = new Conditions().isOneOf('user_id', userIds).within('day', range);
  const sql = `
    select user_id, ${sales.sums()} from coupons join coupon_days on coupon_days.coupon_id = coupons.id ${where}
    group by user_id having sum(orders_count) > 0`;
  return selectRows(manager, affiliateSales, sql, values);
}

async function salesDays(manager: EntityManager, range: DayRange): Promise<SalesDays> {
  const { where, values } = new Conditions().and('version > 0').within('day', range);
  // As one text: both drivers take longer to transfer a thousand rows than the database takes to find them.
  const [row = {}]: Row[] = await manager.query(
    `select string_agg(day || ' ' || version || ' ' || coupons, ',') as days,
       (select coalesce(sum(version), 0) from program_versions where what = 'owners') as owners
     from (select day, sum(version) as version, sum(coupons_count) as coupons from program_days ${where} group by day) as stored`,
    values,
  );
  const found = typeof row['days'] === 'string' ? row['days'].split(',') : [];
  return { days: found.map(parseSalesDay), owners: String(row['owners']) };
}

function parseSalesDay(line: string): SalesDay {
  const [day = '', version = '', couponsCount] = line.split(' ');
  return { day, version, coupons: Number(couponsCount) };
}

const earning: Projection<CouponEarnings> = projectionOf(couponDays, ['day', 'couponId', 'commission']);

function earnings(manager: EntityManager, days: readonly string[]): Promise<CouponEarnings[]> {
  const sql = `select ${earning.list()} from coupon_days where day ${isAmong(manager, 'text')} and orders_count > 0`;
  return selectRows(manager, earning, sql, [JSON.stringify(days)]);
}

function earningsAfter(manager: EntityManager, day: string, couponId: number, limit: number): Promise<CouponEarnings[]> {
  const sql = `select ${earning.list()} from coupon_days where day = $1 and coupon_id > $2 and orders_count > 0 order by coupon_id limit $3`;
  return selectRows(manager, earning, sql, [day, couponId, limit]);
}

const owner = projectionOf(coupons, ['id', 'userId']);

async function ownersOf(manager: EntityManager, couponIds: readonly number[]): Promise<Map<number, number>> {
  const sql = `select ${owner.list()} from coupons where id ${isAmong(manager, 'bigint')} and user_id is not null`;
  const rows = await selectRows(manager, owner, sql, [JSON.stringify(couponIds)]);
  return new Map(rows.flatMap(({ id, userId }) => (userId === null ? [] : [[id, userId]])));
}
