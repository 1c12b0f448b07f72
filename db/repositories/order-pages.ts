import type { EntityManager } from 'typeorm';
import type { OrderFilter, OrderPageStore } from '../../domain/coupons/order-pages.ts';
import { type Order, orderStatuses } from '../../domain/orders/order.ts';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import { isOpen } from '../../domain/range.ts';
import { wholeNumber } from '../columns.ts';
import { Conditions } from '../conditions.ts';
import { countColumn } from '../figure-columns.ts';

type Row = Record<string, unknown>;

export const orderPageStore = (manager: EntityManager): OrderPageStore => ({
  page: (couponId, filter, page) => pageOf(manager, couponId, filter, page),
  batchAfter: (couponId, last, limit) => batchAfter(manager, couponId, last, limit),
});

const newestFirst = 'order by day desc, placed_at desc, order_id desc';
const oldestFirst = 'order by day, placed_at, order_id';

async function pageOf(manager: EntityManager, couponId: number, filter: OrderFilter, page: Page): Promise<Paged<Order>> {
  const total = await totalOf(manager, couponId, filter);
  if (isPastTheEnd(page, total)) return { items: [], total };
  const { range, offset } = await reached(manager, couponId, filter, offsetOf(page));
  const { where, values } = matching(couponId, { ...filter, range });
  const sql = `select * from orders ${where} ${newestFirst} limit ${page.perPage} offset ${offset}`;
  const rows: Row[] = await manager.query(sql, values);
  return { items: rows.map(toOrder), total };
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

async function batchAfter(manager: EntityManager, couponId: number, last: Order | undefined, limit: number): Promise<Order[]> {
  const after = last ? 'and (day, placed_at, order_id) > ($2, $3, $4)' : '';
  const rows: Row[] = await manager.query(
    `select * from orders where coupon_id = $1 ${after} ${oldestFirst} limit ${limit}`,
    last ? [couponId, last.day, last.placedAt, last.orderId] : [couponId],
  );
  return rows.map(toOrder);
}

const wholeOrNull = (stored: unknown): number | null => (stored === null ? null : wholeNumber(stored));

const toOrder = (row: Row): Order => ({
  orderId: wholeNumber(row['order_id']),
  couponId: wholeNumber(row['coupon_id']),
  usedCouponId: wholeOrNull(row['used_coupon_id']),
  day: String(row['day']),
  placedAt: wholeNumber(row['placed_at']),
  status: row['status'] as Order['status'],
  total: wholeNumber(row['total_minor']),
  discount: wholeNumber(row['discount_minor']),
  shipping: wholeNumber(row['shipping_minor']),
  tax: wholeNumber(row['tax_minor']),
  quantity: wholeNumber(row['quantity']),
  refunded: wholeNumber(row['refunded_minor']),
  rates: {
    percentThousandths: wholeNumber(row['percent_thousandths']),
    fixedPerOrder: wholeNumber(row['fixed_per_order_minor']),
    fixedPerProduct: wholeNumber(row['fixed_per_product_minor']),
  },
  commission: wholeNumber(row['commission_minor']),
  commissionStatus: row['commission_status'] as Order['commissionStatus'],
  grantedAt: wholeOrNull(row['granted_at']),
  dueAt: wholeNumber(row['due_at']),
  creditedVia: row['credited_via'] as Order['creditedVia'],
  campaign: row['campaign'] as string | null,
  visitorHash: row['visitor_hash'] as string | null,
});
