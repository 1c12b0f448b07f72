import type { EntityManager } from 'typeorm';
import { isOpen } from '../../domain/dates.ts';
import type { ListedOrder, OrderFilter, OrderPageRepository, OrderSums } from '../../domain/orders/order-pages.ts';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import { bigint, toSafeInteger } from '../entities/columns.ts';
import { couponDays } from '../entities/figures.ts';
import { orders } from '../entities/orders.ts';
import { Conditions } from '../sql/conditions.ts';
import { cheapOffset, locateDay } from '../sql/page-locator.ts';
import { projectionOf, selectRows } from '../sql/projection.ts';

// By hand: pages of orders (benchmark rows `orders` and `orders-last`) and the sums that rebuild a coupon's figures.

export const orderPageRepository = (manager: EntityManager): OrderPageRepository => ({
  page: (couponId, filter, page) => pageOfOrders(manager, couponId, filter, page),
  nextMonth: (couponId, after) => nextMonth(manager, couponId, after),
});

/** Half of the columns, and so half of the time that a page takes. */
const listed = projectionOf(orders, [
  'orderId',
  'placedAt',
  'status',
  'total',
  'discount',
  'refunded',
  'commission',
  'commissionStatus',
  'grantedAt',
  'creditedVia',
  'campaign',
]);

const newestFirst = 'order by day desc, placed_at desc, order_id desc';

async function pageOfOrders(manager: EntityManager, couponId: number, filter: OrderFilter, page: Page): Promise<Paged<ListedOrder>> {
  const rows = ({ range, offset }: { range: OrderFilter['range']; offset: number }): Promise<ListedOrder[]> => {
    const { where, values } = matching(couponId, { ...filter, range });
    const sql = `select ${listed.list()} from orders ${where} ${newestFirst} limit ${page.perPage} offset ${offset}`;
    return selectRows(manager, listed, sql, values);
  };
  // The first page is wanted in any case, so both statements are sent together.
  if (page.page === 1) {
    const [total, items] = await Promise.all([countOrders(manager, couponId, filter), rows({ range: filter.range, offset: 0 })]);
    return { items, total };
  }
  const total = await countOrders(manager, couponId, filter);
  if (isPastTheEnd(page, total)) return { items: [], total };
  return { items: await rows(await locatePage(manager, couponId, filter, { offset: offsetOf(page), total })), total };
}

const ofCoupon = (couponId: number, { range }: OrderFilter): Conditions =>
  new Conditions().and('coupon_id = ?', couponId).within('day', range);

function matching(couponId: number, filter: OrderFilter): Conditions {
  const conditions = ofCoupon(couponId, filter);
  if (filter.status !== undefined) conditions.and('status = ?', filter.status);
  if (filter.commissionStatus !== undefined) conditions.and('commission_status = ?', filter.commissionStatus);
  return conditions;
}

/** Figures count orders by day and status. Orders of one commission status are not counted there. */
const hasStoredCounts = ({ commissionStatus }: OrderFilter): boolean => commissionStatus === undefined;

const countColumns = projectionOf(couponDays, ['statusCounts']).sources;

/** The number of matching orders of a row of figures, which are counted by status. */
const storedCount = ({ status }: OrderFilter): string =>
  countColumns
    .filter(({ path }) => status === undefined || path[1] === status)
    .map(({ column }) => column)
    .join(' + ');

async function countOrders(manager: EntityManager, couponId: number, filter: OrderFilter): Promise<number> {
  const isStored = hasStoredCounts(filter);
  const { where, values } = isStored ? ofCoupon(couponId, filter) : matching(couponId, filter);
  const sql = isStored
    ? `select sum(${storedCount(filter)}) as total from ${isOpen(filter.range) ? 'coupon_totals' : 'coupon_days'} ${where}`
    : `select count(*) as total from orders ${where}`;
  const [row]: { total: unknown }[] = await manager.query(sql, values);
  return toSafeInteger(row?.total ?? 0);
}

/** The range and offset within it at which a page begins. */
async function locatePage(
  manager: EntityManager,
  couponId: number,
  filter: OrderFilter,
  { offset, total }: { offset: number; total: number },
): Promise<{ range: OrderFilter['range']; offset: number }> {
  if (offset < cheapOffset || !hasStoredCounts(filter)) return { range: filter.range, offset };
  const { where, values } = ofCoupon(couponId, filter);
  const select = `select day, ${storedCount(filter)} as own from coupon_days ${where}`;
  const found = await locateDay(manager, { select, values }, { offset, total, direction: 'desc' });
  return found ? { range: { ...filter.range, to: found.day }, offset: offset - found.before } : { range: filter.range, offset };
}

const summed = projectionOf(orders, ['total', 'refunded', 'discount', 'shipping', 'commission']);
const monthSums = projectionOf(orders, ['day', 'status', 'total', 'refunded', 'discount', 'shipping', 'commission']).plus({
  count: bigint('count'),
});

async function nextMonth(manager: EntityManager, couponId: number, after = ''): Promise<OrderSums[]> {
  const next = await manager
    .createQueryBuilder(orders, 'orders')
    .select('min(orders.day)', 'day')
    .where('orders.couponId = :couponId and orders.day > :after', { couponId, after })
    .getRawOne<{ day: string | null }>();
  if (!next?.day) return [];
  const sql = `select day, status, count(*) as count, ${summed.sums()} from orders
    where coupon_id = $1 and day >= $2 and day <= $3 group by day, status order by day`;
  return selectRows(manager, monthSums, sql, [couponId, next.day, `${next.day.slice(0, 7)}-31`]);
}
