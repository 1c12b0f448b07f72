import type { EntityManager } from 'typeorm';
import type { ListedOrder, OrderFilter, OrderPageStore, OrderSums } from '../../domain/coupons/order-pages.ts';
import { orderStatuses } from '../../domain/orders/order.ts';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import { isOpen } from '../../domain/range.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { countColumn } from '../entities/figure-columns.ts';
import { listedColumns, toListedOrder } from '../entities/order-columns.ts';
import { Conditions } from '../sql/conditions.ts';
import { manyRows } from '../sql/json-select.ts';
import { dayReached, nearby } from '../sql/page-locator.ts';

type Row = Record<string, unknown>;

export const orderPageStore = (manager: EntityManager): OrderPageStore => ({
  page: (couponId, filter, page) => pageOf(manager, couponId, filter, page),
  nextMonth: (couponId, after) => nextMonth(manager, couponId, after),
});

const newestFirst = 'order by day desc, placed_at desc, order_id desc';

async function pageOf(manager: EntityManager, couponId: number, filter: OrderFilter, page: Page): Promise<Paged<ListedOrder>> {
  const total = await totalOf(manager, couponId, filter);
  if (isPastTheEnd(page, total)) return { items: [], total };
  const { range, offset } = await reached(manager, couponId, filter, { offset: offsetOf(page), total });
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
  return toSafeInteger(row?.['total'] ?? 0);
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

/** Where a page begins: from this day on, so many orders further. */
async function reached(
  manager: EntityManager,
  couponId: number,
  filter: OrderFilter,
  { offset, total }: { offset: number; total: number },
): Promise<{ range: OrderFilter['range']; offset: number }> {
  if (offset < nearby || filter.commissionStatus !== undefined) return { range: filter.range, offset };
  const { where, values } = new Conditions().and('coupon_id = ?', couponId).within('day', filter.range);
  const select = `select day, ${keptCount(filter)} as own from coupon_days ${where}`;
  const found = await dayReached(manager, { select, values }, { offset, total, direction: 'desc' });
  return found ? { range: { ...filter.range, to: found.day }, offset: offset - found.before } : { range: filter.range, offset };
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
  count: toSafeInteger(row['count']),
  total: toSafeInteger(row['total']),
  refunded: toSafeInteger(row['refunded']),
  discount: toSafeInteger(row['discount']),
  shipping: toSafeInteger(row['shipping']),
  commission: toSafeInteger(row['commission']),
});
