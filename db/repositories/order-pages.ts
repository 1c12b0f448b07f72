import type { EntityManager } from 'typeorm';
import { isOpen } from '../../domain/dates.ts';
import type {
  ListedOrder,
  OrderFilter,
  OrderPageRepository,
  OrderSums,
  ProgramOrder,
  ProgramOrderFilter,
} from '../../domain/orders/order-pages.ts';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import { orderNumberOf } from '../../domain/store/payment.ts';
import { bigint, isId, nullable, text, toSafeInteger } from '../entities/columns.ts';
import { coupons } from '../entities/coupons.ts';
import { couponDays } from '../entities/figures.ts';
import { orders } from '../entities/orders.ts';
import { storePaymentIds } from '../entities/store-payments.ts';
import { Conditions, foldCase, isStorable } from '../sql/conditions.ts';
import { cheapOffset, locateDay } from '../sql/page-locator.ts';
import { projectionOf, selectRows } from '../sql/projection.ts';

// By hand: pages of orders (benchmark rows `orders` and `orders-last`) and the sums that rebuild a coupon's figures.

export const orderPageRepository = (manager: EntityManager): OrderPageRepository => ({
  page: (couponId, filter, page) => pageOfCoupon(manager, couponId, filter, page),
  programPage: (filter, page) => pageOfProgram(manager, filter, page),
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

const programOrder = listed.plus({ couponId: bigint('coupon_id'), couponCode: text('coupon_code'), userId: nullable(bigint('user_id')) });

const newestFirst = 'order by day desc, placed_at desc, order_id desc';

/** Whose orders are listed: those of these coupons, and this one; or those of a user's coupons; or all. */
interface Scope {
  couponIds?: readonly number[];
  orderId?: number | undefined;
  userId?: number | undefined;
}

type SelectOrders<Row> = (conditions: Conditions, bounds: string) => Promise<Row[]>;

const pageOfCoupon = (manager: EntityManager, couponId: number, filter: OrderFilter, page: Page): Promise<Paged<ListedOrder>> =>
  pageOfOrders(manager, { couponIds: [couponId] }, filter, page, ({ where, values }, bounds) =>
    selectRows(manager, listed, `select ${listed.list()} from orders ${where} ${bounds}`, values),
  );

async function pageOfProgram(manager: EntityManager, filter: ProgramOrderFilter, page: Page): Promise<Paged<ProgramOrder>> {
  const scope = await findScope(manager, filter);
  if (!scope) return { items: [], total: 0 };
  return pageOfOrders(manager, scope, filter, page, ({ where, values }, bounds) => {
    const found = `select ${listed.list()}, day, coupon_id from orders ${where} ${bounds}`;
    const named = `select found.*, coupons.code as coupon_code, coupons.user_id from (${found}) as found
      join coupons on coupons.id = found.coupon_id ${newestFirst}`;
    return selectRows(manager, programOrder, named, values);
  });
}

/** Null where no order can match. */
async function findScope(manager: EntityManager, filter: ProgramOrderFilter): Promise<Scope | null> {
  const { couponId, userId, search } = filter;
  if ([couponId, userId].some((id) => id !== undefined && !isId(id)) || !isStorable(search ?? '')) return null;
  if (couponId === undefined && search === undefined) return { userId };
  const [couponIds, orderId] = await Promise.all([findCoupons(manager, filter), findOrder(manager, filter)]);
  return couponIds.length > 0 || orderId !== undefined ? { couponIds, orderId } : null;
}

function couponsOf(manager: EntityManager, { couponId, userId }: ProgramOrderFilter) {
  const query = manager.createQueryBuilder(coupons, 'coupon').select('coupon.id').orderBy('coupon.id');
  if (couponId !== undefined) query.andWhere('coupon.id = :couponId', { couponId });
  return userId === undefined ? query : query.andWhere('coupon.userId = :userId', { userId });
}

async function findCoupons(manager: EntityManager, filter: ProgramOrderFilter): Promise<number[]> {
  const query = couponsOf(manager, filter);
  if (filter.search !== undefined) query.andWhere('coupon.codeFolded = :code', { code: foldCase(filter.search) });
  return (await query.getMany()).map(({ id }) => id);
}

async function findOrder(manager: EntityManager, filter: ProgramOrderFilter): Promise<number | undefined> {
  const { search = '' } = filter;
  const number = /^\d+$/.test(search) ? Number(search) : await findNumber(manager, search);
  if (!isId(number)) return undefined;
  const query = couponsOf(manager, filter).innerJoin('orders', 'orders', 'orders.coupon_id = coupon.id');
  return (await query.andWhere('orders.orderId = :number', { number }).getExists()) ? number : undefined;
}

/** Of the order with this external id. 0 if there is none. */
async function findNumber(manager: EntityManager, externalId: string): Promise<number> {
  const [found] = await manager.findBy(storePaymentIds, { externalId });
  return found ? orderNumberOf({ id: found.paymentId }) : 0;
}

async function pageOfOrders<Row>(
  manager: EntityManager,
  scope: Scope,
  filter: OrderFilter,
  page: Page,
  select: SelectOrders<Row>,
): Promise<Paged<Row>> {
  const rows = ({ range, offset }: PagePosition): Promise<Row[]> =>
    select(matching(scope, { ...filter, range }), `${newestFirst} limit ${page.perPage} offset ${offset}`);
  // The first page is wanted in any case, so both statements are sent together.
  if (page.page === 1 && !needsDays(scope, filter)) {
    const [total, items] = await Promise.all([countOrders(manager, scope, filter), rows({ range: filter.range, offset: 0 })]);
    return { items, total };
  }
  const total = await countOrders(manager, scope, filter);
  if (isPastTheEnd(page, total)) return { items: [], total };
  return { items: await rows(await locatePage(manager, scope, filter, page, total)), total };
}

const ofCoupons = (couponIds: readonly number[], conditions = new Conditions()): Conditions =>
  couponIds.length === 1 ? conditions.and('coupon_id = ?', couponIds[0]) : conditions.isOneOf('coupon_id', couponIds);

function matching({ couponIds, orderId, userId }: Scope, filter: OrderFilter): Conditions {
  const conditions = new Conditions();
  if (orderId !== undefined) {
    const places = (couponIds ?? []).map((id) => conditions.place(id));
    conditions.and(places.length === 0 ? 'order_id = ?' : `(order_id = ? or coupon_id in (${places.join(', ')}))`, orderId);
  } else if (couponIds) ofCoupons(couponIds, conditions);
  if (userId !== undefined) conditions.and('coupon_id in (select id from coupons where user_id = ?)', userId);
  conditions.within('day', filter.range);
  if (filter.status !== undefined) conditions.and('status = ?', filter.status);
  if (filter.commissionStatus !== undefined) conditions.and('commission_status = ?', filter.commissionStatus);
  return conditions;
}

/** Figures count orders by day and status. Orders of one commission status are not counted there. */
const hasStoredCounts = ({ orderId }: Scope, { commissionStatus }: OrderFilter): boolean =>
  commissionStatus === undefined && orderId === undefined;

/** No index has the orders of several coupons in their order. Only those of the days that the page has are sorted. */
const needsDays = (scope: Scope, filter: OrderFilter): boolean =>
  hasStoredCounts(scope, filter) && (scope.userId !== undefined || (scope.couponIds ?? []).length > 1);

const countColumns = projectionOf(couponDays, ['statusCounts']).sources;

/** The number of matching orders of a row of figures, which are counted by status. */
const storedCount = ({ status }: OrderFilter): string =>
  countColumns
    .filter(({ path }) => status === undefined || path[1] === status)
    .map(({ column }) => column)
    .join(' + ');

const storedCounts = ({ couponIds, userId }: Scope, { range }: OrderFilter): Conditions =>
  (couponIds ? ofCoupons(couponIds) : new Conditions().and('user_id = ?', userId ?? 0)).within('day', range);

async function countOrders(manager: EntityManager, scope: Scope, filter: OrderFilter): Promise<number> {
  const isStored = hasStoredCounts(scope, filter);
  const { where, values } = isStored ? storedCounts(scope, filter) : matching(scope, filter);
  const table = scope.couponIds ? (isOpen(filter.range) ? 'coupon_totals' : 'coupon_days') : 'order_days';
  const sql = isStored
    ? `select sum(${storedCount(filter)}) as total from ${table} ${where}`
    : `select count(*) as total from orders ${where}`;
  const [row]: { total: unknown }[] = await manager.query(sql, values);
  return toSafeInteger(row?.total ?? 0);
}

interface PagePosition {
  range: OrderFilter['range'];
  offset: number;
}

/** The range and offset within it at which a page begins. */
async function locatePage(manager: EntityManager, scope: Scope, filter: OrderFilter, page: Page, total: number): Promise<PagePosition> {
  const { range } = filter;
  const offset = offsetOf(page);
  const needsLast = needsDays(scope, filter);
  if (!needsLast && (offset < cheapOffset || !hasStoredCounts(scope, filter))) return { range, offset };
  const { where, values } = storedCounts(scope, filter);
  const isOfOne = scope.couponIds?.length === 1;
  const select = isOfOne
    ? `select day, ${storedCount(filter)} as own from coupon_days ${where}`
    : `select day, sum(${storedCount(filter)}) as own from ${scope.couponIds ? 'coupon_days' : 'order_days'} ${where} group by day`;
  const dayAt = (place: number) => locateDay(manager, { select, values }, { offset: place, total, direction: 'desc' });
  const [first, last] = await Promise.all([dayAt(offset), needsLast ? dayAt(Math.min(offset + page.perPage, total) - 1) : null]);
  if (!first) return { range, offset };
  return { range: { from: last?.day ?? range.from, to: first.day }, offset: offset - first.before };
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
