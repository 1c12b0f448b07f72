import type { EntityManager } from 'typeorm';
import type { ListedOrder, OrderFilter, OrderPageStore, OrderSums } from '../../domain/coupons/order-pages.ts';
import { orderStatuses } from '../../domain/orders/order.ts';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import { isOpen } from '../../domain/range.ts';
import { wholeNumber } from '../columns.ts';
import { Conditions } from '../conditions.ts';
import { countColumn } from '../figure-columns.ts';
import { manyRows } from '../many-rows.ts';
import { listedColumns, toListedOrder } from '../order-columns.ts';

type Row = Record<string, unknown>;

export const orderPageStore = (manager: EntityManager): OrderPageStore => ({
  page: (couponId, filter, page) => pageOf(manager, couponId, filter, page),
  nextMonth: (couponId, after) => nextMonth(manager, couponId, after),
});

const newestFirst = 'order by day desc, placed_at desc, order_id desc';

async function pageOf(manager: EntityManager, couponId: number, filter: OrderFilter, page: Page): Promise<Paged<ListedOrder>> {
  const total = await totalOf(manager, couponId, filter);
  if (isPastTheEnd(page, total)) return { items: [], total };
  const { range, offset } = await reached(manager, couponId, filter, offsetOf(page));
  const { where, values } = matching(couponId, { ...filter, range });
  const sql = `select ${listedColumns.join(', ')} from orders ${where} ${newestFirst} limit ${page.perPage} offset ${offset}`;
  const rows = await manyRows(manager, listedColumns, sql, values);
  return { items: rows.map(toListedOrder), total };
}

function matching(couponId: number, { range, status, commissionStatus }: OrderFilter): Conditions {
  const conditions = new Conditions().and('coupon_id = ?', couponId).within('day', range);
  if (status !== undefined) conditions.and('status = ?', status);
  if (commissionStatus !== undefined) conditions.and('commission_status = ?', commissionStatus);
  return conditions;
}

/** How many of a day's orders match, where the figures that are kept can tell. */
const keptCount = ({ status }: OrderFilter): string => (status ? [status] : orderStatuses).map((each) => countColumn[each]).join(' + ');

async function totalOf(manager: EntityManager, couponId: number, filter: OrderFilter): Promise<number> {
  const source = filter.commissionStatus === undefined ? keptTotal(couponId, filter) : countedTotal(couponId, filter);
  const [row]: Row[] = await manager.query(source.sql, source.values);
  return wholeNumber(row?.['total'] ?? 0);
}

interface Query {
  sql: string;
  values: unknown[];
}

function keptTotal(couponId: number, filter: OrderFilter): Query {
  const { where, values } = new Conditions().and('coupon_id = ?', couponId).within('day', filter.range);
  const table = isOpen(filter.range) ? 'coupon_totals' : 'coupon_days';
  return { sql: `select sum(${keptCount(filter)}) as total from ${table} ${where}`, values };
}

function countedTotal(couponId: number, filter: OrderFilter): Query {
  const { where, values } = matching(couponId, filter);
  return { sql: `select count(*) as total from orders ${where}`, values };
}

/** Up to here it is cheaper to step over the orders than to look where the day counts lead. */
const nearby = 200;

/** Far pages: whole days are passed by their counts, so that only the orders of one day have to be stepped over. */
async function reached(
  manager: EntityManager,
  couponId: number,
  filter: OrderFilter,
  offset: number,
): Promise<{ range: OrderFilter['range']; offset: number }> {
  if (offset < nearby || filter.commissionStatus !== undefined) return { range: filter.range, offset };
  const days = new Conditions().and('coupon_id = ?', couponId).within('day', filter.range);
  const counted = `
    select day, sum(${keptCount(filter)}) over (order by day desc) as passed, ${keptCount(filter)} as own
    from coupon_days ${days.where}`;
  const sql = `
    select day, passed - own as before from (${counted}) as counted
    where passed > ${days.place(offset)} order by day desc limit 1`;
  const [row]: Row[] = await manager.query(sql, days.values);
  if (!row) return { range: filter.range, offset };
  return { range: { ...filter.range, to: String(row['day']) }, offset: offset - wholeNumber(row['before']) };
}

const sums = ['total', 'refunded', 'discount', 'shipping', 'commission'].map((name) => `sum(${name}_minor) as ${name}`).join(', ');

async function nextMonth(manager: EntityManager, couponId: number, after = ''): Promise<OrderSums[]> {
  const [next]: Row[] = await manager.query('select min(day) as day from orders where coupon_id = $1 and day > $2', [couponId, after]);
  if (typeof next?.['day'] !== 'string') return [];
  const first = next['day'];
  const lastOfMonth = `${first.slice(0, 7)}-31`;
  const rows: Row[] = await manager.query(
    `select day, status, count(*) as count, ${sums} from orders
     where coupon_id = $1 and day >= $2 and day <= $3 group by day, status order by day`,
    [couponId, first, lastOfMonth],
  );
  return rows.map(toSums);
}

const toSums = (row: Row): OrderSums => ({
  day: String(row['day']),
  status: row['status'] as OrderSums['status'],
  count: wholeNumber(row['count']),
  total: wholeNumber(row['total']),
  refunded: wholeNumber(row['refunded']),
  discount: wholeNumber(row['discount']),
  shipping: wholeNumber(row['shipping']),
  commission: wholeNumber(row['commission']),
});
