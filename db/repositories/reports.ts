import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { ClickCounts } from '../../domain/clicks/store.ts';
import { type DayRange, isOpen } from '../../domain/range.ts';
import type { AffiliateSales, ProgramSales, ReportStore, Sales, Standing } from '../../domain/reports/store.ts';
import { wholeNumber } from '../columns.ts';
import { Conditions } from '../conditions.ts';
import { orUnavailable } from '../missing-table.ts';

export const reportStore = (manager: EntityManager): ReportStore => ({
  standing: () => orUnavailable(standing(manager)),
  version: () => orUnavailable(version(manager)),
  sales: (range, top) => sales(manager, range, top),
  clicks: (range) => orUnavailable(clicks(manager, range)),
});

type Row = Record<string, unknown>;

const now = `
  select
    count(distinct case when status = 'publish' then user_id end) as affiliates,
    count(case when status = 'publish' then user_id end) as coupons,
    coalesce(sum(unpaid_minor), 0) as unpaid,
    coalesce(sum(pending_order_minor), 0) as pending_order,
    coalesce(sum(pending_payout_minor), 0) as pending_payout,
    coalesce(sum(paid_minor), 0) as paid,
    (select count(*) from registrations where status = 'pending') as pending_registrations
  from coupons`;

async function standing(manager: EntityManager): Promise<Standing> {
  const [row = {}]: Row[] = await manager.query(now);
  return {
    affiliates: wholeNumber(row.affiliates),
    coupons: wholeNumber(row.coupons),
    balances: {
      unpaid: wholeNumber(row.unpaid),
      pendingOrder: wholeNumber(row.pending_order),
      pendingPayout: wholeNumber(row.pending_payout),
      paid: wholeNumber(row.paid),
    },
    pendingRegistrations: wholeNumber(row.pending_registrations),
  };
}

// Each number grows with every write to orders or clicks. Who is among the best also depends on whose each coupon is, of which no number
// is kept, so that is told in full.
const versions = `
  select
    (select sum(version) from coupon_totals) as figures,
    (select sum(clicks + conversions) from click_totals) as clicks,
    (select string_agg(id || ':' || user_id, ' ' order by id) from coupons) as owners`;

async function version(manager: EntityManager): Promise<string> {
  const [row = {}]: Row[] = await manager.query(versions);
  return createHash('sha256').update(JSON.stringify(row)).digest('base64url');
}

const columns = ['orders_count', 'sales_minor', 'discount_minor', 'commission_minor'];
const summed = columns.map((column) => `coalesce(sum(${column}), 0) as ${column}`).join(', ');

/** What is kept of each coupon: all-time in one row, in a range in one for each day. */
function kept(range: DayRange): { table: string; where: string; values: unknown[] } {
  const { where, values } = new Conditions().within('day', range);
  return { table: isOpen(range) ? 'coupon_totals' : 'coupon_days', where, values };
}

/** The program as a whole comes first, as user 0. */
const salesOf = (table: string, where: string, limit: string): string => `
  with of_coupon as materialized (select coupon_id, ${summed} from ${table} ${where} group by coupon_id),
  of_affiliate as (
    select user_id, ${summed} from of_coupon join coupons on coupons.id = of_coupon.coupon_id
    where user_id is not null group by user_id having sum(orders_count) > 0
    order by commission_minor desc, user_id limit ${limit}
  )
  select 0 as user_id, ${summed} from of_coupon
  union all select * from of_affiliate`;

async function sales(manager: EntityManager, range: DayRange, top: number): Promise<ProgramSales> {
  const { table, where, values } = kept(range);
  const rows: Row[] = await manager.query(salesOf(table, where, `$${values.length + 1}`), [...values, top]);
  const found = rows.map((row) => ({ userId: wholeNumber(row.user_id), ...toSales(row) }));
  const { userId: _, ...total } = found.find(({ userId }) => userId === 0) ?? { userId: 0, ...toSales({}) };
  return { total, top: found.filter(({ userId }) => userId !== 0).toSorted(byCommission) };
}

/** What `union all` gives has no order of its own. */
const byCommission = (one: AffiliateSales, other: AffiliateSales): number => other.commission - one.commission || one.userId - other.userId;

const toSales = (row: Row): Sales => ({
  ordersCount: wholeNumber(row.orders_count ?? 0),
  sales: wholeNumber(row.sales_minor ?? 0),
  discount: wholeNumber(row.discount_minor ?? 0),
  commission: wholeNumber(row.commission_minor ?? 0),
});

async function clicks(manager: EntityManager, range: DayRange): Promise<ClickCounts> {
  const { where, values } = new Conditions().within('day', range);
  const table = isOpen(range) ? 'click_totals' : 'click_days';
  const statement = `select coalesce(sum(clicks), 0) as clicks, coalesce(sum(conversions), 0) as conversions from ${table} ${where}`;
  const [row = {}]: Row[] = await manager.query(statement, values);
  return { clicks: wholeNumber(row.clicks), conversions: wholeNumber(row.conversions) };
}
