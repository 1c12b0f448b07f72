import type { EntityManager } from 'typeorm';
import type { ClickCounts } from '../../domain/clicks/store.ts';
import { type DayRange, isOpen } from '../../domain/range.ts';
import type { AffiliateSales, MonthSales, ProgramSales, ReportStore, Sales, Standing } from '../../domain/reports/store.ts';
import { wholeNumber } from '../columns.ts';
import { Conditions } from '../conditions.ts';
import { orUnavailable } from '../missing-table.ts';

export const reportStore = (manager: EntityManager): ReportStore => ({
  standing: () => orUnavailable(standing(manager)),
  version: () => orUnavailable(version(manager)),
  sales: (range, top) => sales(manager, range, top),
  salesByMonth: (range) => salesByMonth(manager, range),
  clicks: (range) => orUnavailable(clicks(manager, range)),
});

type Row = Record<string, unknown>;

const now = `
  select program_standing.*, (select count(*) from registrations where status = 'pending') as pending_registrations from program_standing`;

async function standing(manager: EntityManager): Promise<Standing> {
  const [row = {}]: Row[] = await manager.query(now);
  return {
    affiliates: wholeNumber(row.affiliates),
    coupons: wholeNumber(row.coupons),
    balances: {
      unpaid: wholeNumber(row.unpaid_minor),
      pendingOrder: wholeNumber(row.pending_order_minor),
      pendingPayout: wholeNumber(row.pending_payout_minor),
      paid: wholeNumber(row.paid_minor),
    },
    pendingRegistrations: wholeNumber(row.pending_registrations),
  };
}

async function version(manager: EntityManager): Promise<string> {
  const [row = {}]: Row[] = await manager.query('select version from program_totals');
  return String(row.version);
}

const columns = ['orders_count', 'sales_minor', 'discount_minor', 'commission_minor'];
const summed = columns.map((column) => `coalesce(sum(${column}), 0) as ${column}`).join(', ');

const sales = (manager: EntityManager, range: DayRange, top: number): Promise<ProgramSales> =>
  isOpen(range) ? allTimeSales(manager, top) : salesWithin(manager, range, top);

const best = `
  select user_id, ${columns.join(', ')} from affiliate_totals where orders_count > 0
  order by commission_minor desc, user_id limit $1`;

async function allTimeSales(manager: EntityManager, top: number): Promise<ProgramSales> {
  const [total = {}]: Row[] = await manager.query(`select ${columns.join(', ')} from program_totals`);
  const rows: Row[] = await manager.query(best, [top]);
  return { total: toSales(total), top: rows.map(toAffiliateSales) };
}

/** The program as a whole comes first, as user 0. */
const salesOf = (where: string, limit: string): string => `
  with of_coupon as materialized (select coupon_id, ${summed} from coupon_days ${where} group by coupon_id),
  of_affiliate as (
    select user_id, ${summed} from of_coupon join coupons on coupons.id = of_coupon.coupon_id
    where user_id is not null group by user_id having sum(orders_count) > 0
    order by commission_minor desc, user_id limit ${limit}
  )
  select 0 as user_id, ${summed} from of_coupon
  union all select * from of_affiliate`;

async function salesWithin(manager: EntityManager, range: DayRange, top: number): Promise<ProgramSales> {
  const { where, values } = new Conditions().within('day', range);
  const rows: Row[] = await manager.query(salesOf(where, `$${values.length + 1}`), [...values, top]);
  const found = rows.map(toAffiliateSales);
  const { userId: _, ...total } = found.find(({ userId }) => userId === 0) ?? { userId: 0, ...toSales({}) };
  return { total, top: found.filter(({ userId }) => userId !== 0).toSorted(byCommission) };
}

async function salesByMonth(manager: EntityManager, range: DayRange): Promise<MonthSales[]> {
  const { where, values } = new Conditions().within('day', range);
  const month = 'substr(day, 1, 7)';
  const statement = `select ${month} as month, ${summed} from coupon_days ${where} group by ${month} order by month`;
  const rows: Row[] = await manager.query(statement, values);
  return rows.map((row) => ({ month: String(row.month), ...toSales(row) }));
}

/** What `union all` gives has no order of its own. */
const byCommission = (one: AffiliateSales, other: AffiliateSales): number => other.commission - one.commission || one.userId - other.userId;

const toAffiliateSales = (row: Row): AffiliateSales => ({ userId: wholeNumber(row.user_id), ...toSales(row) });

const toSales = (row: Row): Sales => ({
  ordersCount: wholeNumber(row.orders_count ?? 0),
  sales: wholeNumber(row.sales_minor ?? 0),
  discount: wholeNumber(row.discount_minor ?? 0),
  commission: wholeNumber(row.commission_minor ?? 0),
});

async function clicks(manager: EntityManager, range: DayRange): Promise<ClickCounts> {
  const { where, values } = new Conditions().within('day', range);
  const statement = isOpen(range)
    ? 'select clicks, conversions from program_totals'
    : `select coalesce(sum(clicks), 0) as clicks, coalesce(sum(conversions), 0) as conversions from click_days ${where}`;
  const [row = {}]: Row[] = await manager.query(statement, values);
  return { clicks: wholeNumber(row.clicks), conversions: wholeNumber(row.conversions) };
}
