import { type CouponReader, readCoupon, readCouponStatistics, readOrders } from '../domain/coupons/reading.ts';
import { dayOf, dayRange } from '../domain/dates.ts';
import { explainOrder } from '../domain/explanation/explain.ts';
import type { ListedOrder } from '../domain/orders/order-pages.ts';
import type { Paged } from '../domain/page.ts';
import type { Repositories } from '../domain/repositories.ts';
import { callerIsAdmin } from '../domain/users/user.ts';
import { buildProgram } from '../site/program.ts';
import { accessLevelExists, isAddOnActive } from '../site/served.ts';
import type { HandlerContext, OperationHandler } from './context.ts';
import { couponDetailView, couponView } from './views/coupon.ts';
import { explanationView } from './views/explanation.ts';
import { orderView, programOrderView } from './views/order.ts';
import { couponStatsView } from './views/stats.ts';
import { totals } from './views/user.ts';

const readerOf = (couponId: number, { caller, settings }: HandlerContext): CouponReader => ({
  caller,
  couponId,
  levels: { upline: accessLevelExists('upline', settings) },
});

const today = ({ now, settings }: HandlerContext): string => dayOf(now, settings.store.timezone);

export const get_coupons: OperationHandler<'get_coupons'> = async ({ query }, { storage, settings }) => {
  const { page, per_page: perPage, status, orderby, order, user_id: userId, search } = query;
  const filter = {
    status,
    searchesUsers: isAddOnActive('management', settings),
    ...(userId !== undefined && { userId: userId === 0 ? null : userId }),
    ...(search !== undefined && { search }),
  };
  const { items, total } = await storage.read(({ coupons }) => coupons.page(filter, { by: orderby, direction: order }, { page, perPage }));
  return { status: 200, body: items.map((coupon) => couponView(coupon, settings)), headers: totals(total, perPage), cacheable: true };
};

export const get_coupons_id: OperationHandler<'get_coupons_id'> = async ({ path }, context) => {
  const withSources = isAddOnActive('insights', context.settings);
  const reading = await context.storage.query((db) => readCoupon(db, readerOf(path.id, context), withSources));
  return { status: 200, body: couponDetailView(reading, context), cacheable: true };
};

export const get_coupons_id_stats: OperationHandler<'get_coupons_id_stats'> = async ({ path, query }, context) => {
  const range = dayRange(query, today(context));
  const question = { range, interval: query.interval, today: today(context), refresh: query.refresh };
  const statistics = await readCouponStatistics(context.storage, readerOf(path.id, context), question, context);
  return { status: 200, body: couponStatsView(statistics, range, context.settings), cacheable: statistics.source === 'cache' };
};

export const get_coupons_id_orders: OperationHandler<'get_coupons_id_orders'> = async ({ path, query }, context) => {
  const { page, per_page: perPage, status, commission_status: commissionStatus } = query;
  const range = dayRange(query, today(context));
  const filter = { range, ...(status !== undefined && { status }), ...(commissionStatus !== undefined && { commissionStatus }) };
  const { settings, storage } = context;
  const { items, total, externalIds } = await storage.read(async (db) =>
    withExternalIds(db, await readOrders(db, readerOf(path.id, context), filter, { page, perPage })),
  );
  return {
    status: 200,
    body: items.map((order) => orderView(order, externalIds, settings)),
    headers: totals(total, perPage),
    cacheable: true,
  };
};

export const get_coupons_id_orders_order_id_explanation: OperationHandler<'get_coupons_id_orders_order_id_explanation'> = async (
  { path },
  context,
) => {
  const { settings, storage } = context;
  const reader = readerOf(path.id, context);
  const explanation = await storage.read((db) => explainOrder(db, reader, path.order_id, buildProgram(settings)));
  return { status: 200, body: explanationView(explanation, settings), cacheable: true };
};

export const get_orders: OperationHandler<'get_orders'> = async ({ query }, context) => {
  const { page, per_page: perPage, search, coupon_id: couponId, status, commission_status: commissionStatus } = query;
  const { caller, settings, storage } = context;
  // Callers other than admins see the orders of their own coupons, whatever the filter.
  const userId = callerIsAdmin(caller) ? query.user_id : caller.user.id;
  const filter = {
    range: dayRange(query, today(context)),
    search,
    couponId,
    userId,
    ...(status !== undefined && { status }),
    ...(commissionStatus !== undefined && { commissionStatus }),
  };
  const list = async (db: Repositories) => withExternalIds(db, await db.orderPages.programPage(filter, { page, perPage }));
  // Orders of one commission status are counted one by one, and those of a rare status are far apart.
  const isHeavy = couponId === undefined && (status !== undefined || commissionStatus !== undefined);
  const { items, total, externalIds } = await (isHeavy ? context.readHeavy(list) : storage.read(list));
  return {
    status: 200,
    body: items.map((order) => programOrderView(order, externalIds, settings)),
    headers: totals(total, perPage),
    cacheable: true,
  };
};

const withExternalIds = async <Order extends ListedOrder>({ storePayments }: Repositories, page: Paged<Order>) => ({
  ...page,
  externalIds: await storePayments.externalIds(page.items.map(({ orderId }) => orderId)),
});
