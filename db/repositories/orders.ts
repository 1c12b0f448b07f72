import type { EntityManager } from 'typeorm';
import { groupBy } from '../../domain/group-by.ts';
import type { Order, OrderStore, Share } from '../../domain/orders/order.ts';
import { advisoryLocks } from '../engine/dialect.ts';
import { lifetimeLinks, orderShares, orders } from '../entities/orders.ts';
import { assignExcluded, insertRows, jsonList } from '../sql/insert.ts';
import { type Projection, projectionOf, queryReturning, tryAdvisoryLock } from '../sql/projection.ts';
import type { Digests } from './ledger-digests.ts';

// By hand and set-based: one statement for any number of orders (benchmark rows `ingest` and `import`).

export const orderStore = (manager: EntityManager, digests: Digests): OrderStore => ({
  byIds: (orderIds) => selectIn(manager, orderProjection, 'orders', 'order_id', orderIds),
  save: async (saved) =>
    void (await Promise.all([
      insertRows(manager, orders, saved, `on conflict (order_id) do update set ${assignExcluded(changing)}`),
      digests.append('order', saved),
    ])),
  anyDue: async (now) => (await manager.query(`${selectDue} limit 1`, [now])).length > 0,
  claimDue: (now, limit) => claimDue(manager, digests, now, limit),
  sharesOf: (orderIds) => selectIn(manager, shareProjection, 'order_shares', 'order_id', orderIds, 'order by order_id, tier'),
  saveShares: async (shares) =>
    void (await Promise.all([
      insertRows(manager, orderShares, shares, 'on conflict (order_id, tier) do update set amount_minor = excluded.amount_minor'),
      digests.append('shares', sharesByOrder(shares)),
    ])),
  lifetimeLinksOf: (visitorHashes) => selectIn(manager, linkProjection, 'lifetime_links', 'visitor_hash', visitorHashes),
  addLifetimeLinks: async (links) => void (await insertRows(manager, lifetimeLinks, links, 'on conflict do nothing')),
});

const sharesByOrder = (shares: readonly Share[]) =>
  [...groupBy(shares, ({ orderId }) => orderId)].map(([orderId, own]) => ({
    orderId,
    shares: own.toSorted((one, other) => one.tier - other.tier),
  }));

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
  'campaign',
]);

async function selectIn<Row>(
  manager: EntityManager,
  projection: Projection<Row>,
  table: string,
  key: 'order_id' | 'visitor_hash',
  values: readonly unknown[],
  sorted = '',
): Promise<Row[]> {
  if (values.length === 0) return [];
  const list = jsonList(manager, key === 'order_id' ? 'bigint' : 'text');
  const sql = `select ${projection.list()} from ${table} where ${key} in ${list} ${sorted}`;
  return (await manager.query(sql, [JSON.stringify(values)])).map(projection.toObject);
}

// As the index `orders_due` has it.
const selectDue = `
  select order_id from orders
  where commission_status = 'pending' and status = 'completed' and due_at <= $1
  order by due_at, order_id`;

async function claimDue(manager: EntityManager, digests: Digests, now: number, limit: number): Promise<Order[]> {
  if (!(await tryAdvisoryLock(manager, advisoryLocks.clearing))) return [];
  // The update repeats the condition, so that an order is never granted twice.
  const rows = await queryReturning(
    manager,
    `update orders set commission_status = 'granted', granted_at = $1
     where order_id in (${selectDue} limit ${limit}) and commission_status = 'pending'
     returning ${orderProjection.list()}`,
    [now],
  );
  const granted = rows.map(orderProjection.toObject).sort((one, other) => one.dueAt - other.dueAt || one.orderId - other.orderId);
  await digests.append('order', granted);
  return granted;
}
