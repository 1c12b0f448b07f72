import type { EntityManager } from 'typeorm';
import type { ClickCounts } from '../../domain/clicks/store.ts';
import { type DayRange, isOpen } from '../../domain/range.ts';
import type { MonthSales, ReportStore, Sales, Standing } from '../../domain/reports/store.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { salesColumns, summed, summedSales, toSales } from '../entities/sales-columns.ts';
import { Conditions } from '../sql/conditions.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { bestOfAllTime, bestWithin, days, earnings, ownersOf, salesOf } from './report-ranking.ts';

export const reportStore = (manager: EntityManager): ReportStore => ({
  standing: () => orUnavailable(standing(manager)),
  version: () => orUnavailable(version(manager)),
  sales: (range) => sales(manager, range),
  clicks: (range) => orUnavailable(clicks(manager, range)),
  salesByMonth: (range) => salesByMonth(manager, range),
  best: (range, top) => (isOpen(range) ? bestOfAllTime(manager, top) : bestWithin(manager, range, top)),
  salesOf: (userIds, range) => salesOf(manager, userIds, range),
  days: (range) => days(manager, range),
  earnings: (given) => earnings(manager, given),
  ownersOf: (couponIds) => ownersOf(manager, couponIds),
});

type Row = Record<string, unknown>;

const now = `
  select program_standing.*, (select count(*) from registrations where status = 'pending') as pending_registrations from program_standing`;

async function standing(manager: EntityManager): Promise<Standing> {
  const [row = {}]: Row[] = await manager.query(now);
  return {
    affiliates: toSafeInteger(row.affiliates),
    coupons: toSafeInteger(row.coupons),
    balances: {
      unpaid: toSafeInteger(row.unpaid_minor),
      pendingOrder: toSafeInteger(row.pending_order_minor),
      pendingPayout: toSafeInteger(row.pending_payout_minor),
      paid: toSafeInteger(row.paid_minor),
    },
    pendingRegistrations: toSafeInteger(row.pending_registrations),
  };
}

async function version(manager: EntityManager): Promise<string> {
  const [row = {}]: Row[] = await manager.query('select version from program_totals');
  return String(row.version);
}

/** All that is kept is of days, or of all time. */
function fromProgram(columns: readonly string[], range: DayRange): { statement: string; values: unknown[] } {
  if (isOpen(range)) return { statement: `select ${columns.join(', ')} from program_totals`, values: [] };
  const { where, values } = new Conditions().within('day', range);
  return { statement: `select ${summed(columns)} from program_days ${where}`, values };
}

async function sales(manager: EntityManager, range: DayRange): Promise<Sales> {
  const { statement, values } = fromProgram(salesColumns, range);
  const [row = {}]: Row[] = await manager.query(statement, values);
  return toSales(row);
}

async function clicks(manager: EntityManager, range: DayRange): Promise<ClickCounts> {
  const { statement, values } = fromProgram(['clicks', 'conversions'], range);
  const [row = {}]: Row[] = await manager.query(statement, values);
  return { clicks: toSafeInteger(row.clicks), conversions: toSafeInteger(row.conversions) };
}

async function salesByMonth(manager: EntityManager, range: DayRange): Promise<MonthSales[]> {
  const { where, values } = new Conditions().within('day', range);
  const month = 'substr(day, 1, 7)';
  const statement = `select ${month} as month, ${summedSales} from program_days ${where} group by ${month} having sum(orders_count) > 0 order by month`;
  const rows: Row[] = await manager.query(statement, values);
  return rows.map((row) => ({ month: String(row.month), ...toSales(row) }));
}
