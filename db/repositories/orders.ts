import type { EntityManager } from 'typeorm';
import type { LifetimeLink, Order, OrderRepository, Share } from '../../domain/orders/order.ts';
import { advisoryLocks } from '../engine/dialect.ts';
import { lifetimeLinks, orderShares, orders } from '../entities/orders.ts';
import { assignExcluded, insertRows, isAmong } from '../sql/insert.ts';
import { isPostgres, projectionOf, selectRows, tryAdvisoryLock } from '../sql/projection.ts';

// By hand and set-based: one statement for any number of orders (benchmark rows `ingest` and `import`).

export const orderRepository = (manager: EntityManager): OrderRepository => ({
  byIds: (orderIds) => ordersByIds(manager, orderIds),
  save: async (saved) =>
    void (await insertRows(manager, orders, saved, `on conflict (order_id) do update set ${assignExcluded(changing)}`)),
  anyDue: (now) => manager.createQueryBuilder(orders, 'orders').where(isDue(':now'), { now }).getExists(),
  claimDue: (now, limit) => claimDue(manager, now, limit),
  sharesOf: (orderIds) => sharesOf(manager, orderIds),
  saveShares: async (shares) =>
    void (await insertRows(
      manager,
      orderShares,
      shares,
      'on conflict (order_id, tier) do update set amount_minor = excluded.amount_minor',
    )),
  lifetimeLinksOf: (visitorHashes) => linksOf(manager, visitorHashes),
  addLifetimeLinks: async (links) => void (await insertRows(manager, lifetimeLinks, links, 'on conflict do nothing')),
});

const orderProjection = projectionOf(orders);
const shareProjection = projectionOf(orderShares);
const linkProjection = projectionOf(lifetimeLinks);

/** What a later version of an order changes. Coupon, rates and attribution stay as they were first recorded. */
const changing = projectionOf(orders, [
  'day',
  'placedAt',
  'status',
  'total',
  'discount',
  'shipping',
  'tax',
  'quantity',
  'refunded',
  'commission',
  'commissionStatus',
  'grantedAt',
  'dueAt',
  'hasCompleted',
  'campaign',
]);

async function ordersByIds(manager: EntityManager, orderIds: readonly number[]): Promise<Order[]> {
  if (orderIds.length === 0) return [];
  const sql = `select ${orderProjection.list()} from orders where order_id ${isAmong(manager, 'bigint')}`;
  return selectRows(manager, orderProjection, sql, [JSON.stringify(orderIds)]);
}

async function sharesOf(manager: EntityManager, orderIds: readonly number[]): Promise<Share[]> {
  if (orderIds.length === 0) return [];
  const sql = `select ${shareProjection.list()} from order_shares where order_id ${isAmong(manager, 'bigint')} order by order_id, tier`;
  return selectRows(manager, shareProjection, sql, [JSON.stringify(orderIds)]);
}

async function linksOf(manager: EntityManager, visitorHashes: readonly string[]): Promise<LifetimeLink[]> {
  if (visitorHashes.length === 0) return [];
  const sql = `select ${linkProjection.list()} from lifetime_links where visitor_hash ${isAmong(manager, 'text')}`;
  return selectRows(manager, linkProjection, sql, [JSON.stringify(visitorHashes)]);
}

// As the index `orders_due` has it.
const isDue = (now: string): string => `orders.commission_status = 'pending' and orders.status = 'completed' and orders.due_at <= ${now}`;

async function claimDue(manager: EntityManager, now: number, limit: number): Promise<Order[]> {
  if (!(await tryAdvisoryLock(manager, advisoryLocks.clearing))) return [];
  const lock = isPostgres(manager) ? 'for update of orders' : '';
  const sql = `select ${orderProjection.list()} from orders where ${isDue('$1')} order by due_at, order_id limit ${limit} ${lock}`;
  return selectRows(manager, orderProjection, sql, [now]);
}
