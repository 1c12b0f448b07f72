import type { EntityManager } from 'typeorm';
import { groupBy } from '../../domain/group-by.ts';
import type { LifetimeLink, Order, OrderStore, Share } from '../../domain/orders/order.ts';
import { advisoryLocks } from '../engine/dialect.ts';
import { lifetimeLinks, orderShares, orders } from '../entities/orders.ts';
import { assignExcluded, insertRows, jsonList } from '../sql/insert.ts';
import { isPostgres, projectionOf, tryAdvisoryLock } from '../sql/projection.ts';
import { type Digests, lastDigestOf, parseLastDigest, selectFound } from './ledger-digests.ts';

// By hand and set-based: one statement for any number of orders (benchmark rows `ingest` and `import`).

export const orderStore = (manager: EntityManager, digests: Digests): OrderStore => ({
  byIds: (orderIds) => ordersByIds(manager, digests, orderIds),
  save: async (saved) =>
    void (await Promise.all([
      insertRows(manager, orders, saved, `on conflict (order_id) do update set ${assignExcluded(changing)}`),
      digests.append('order', saved),
    ])),
  anyDue: async (now) => (await manager.query(`select order_id ${fromDue} limit 1`, [now])).length > 0,
  claimDue: (now, limit) => claimDue(manager, digests, now, limit),
  sharesOf: (orderIds) => sharesOf(manager, digests, orderIds),
  saveShares: async (shares) =>
    void (await Promise.all([
      insertRows(manager, orderShares, shares, 'on conflict (order_id, tier) do update set amount_minor = excluded.amount_minor'),
      digests.append('shares', sharesByOrder(shares)),
    ])),
  lifetimeLinksOf: (visitorHashes) => linksOf(manager, visitorHashes),
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

async function ordersByIds(manager: EntityManager, digests: Digests, orderIds: readonly number[]): Promise<Order[]> {
  if (orderIds.length === 0) return [];
  return selectFound(manager, digests, 'order', {
    ...{ projection: orderProjection, id: 'orders.order_id', values: [JSON.stringify(orderIds)] },
    sql: (more) => `select ${orderProjection.list()}${more} from orders where order_id in ${jsonList(manager, 'bigint')}`,
  });
}

const lastDigestOfShares = `, ${lastDigestOf('shares', 'order_shares.order_id')} as last_digest`;

async function sharesOf(manager: EntityManager, digests: Digests, orderIds: readonly number[]): Promise<Share[]> {
  if (orderIds.length === 0) return [];
  const isMarked = (await digests.key()) !== null;
  const rows: Record<string, unknown>[] = await manager.query(
    `select ${shareProjection.list()}${isMarked ? lastDigestOfShares : ''} from order_shares
     where order_id in ${jsonList(manager, 'bigint')} order by order_id, tier`,
    [JSON.stringify(orderIds)],
  );
  const shares = rows.map(shareProjection.toObject);
  const lastOf = new Map(rows.map((row, place) => [shares[place]?.orderId, parseLastDigest(row['last_digest'])]));
  digests.remember(
    'shares',
    sharesByOrder(shares).map((record) => ({ record, last: lastOf.get(record.orderId) ?? null })),
  );
  return shares;
}

async function linksOf(manager: EntityManager, visitorHashes: readonly string[]): Promise<LifetimeLink[]> {
  if (visitorHashes.length === 0) return [];
  const sql = `select ${linkProjection.list()} from lifetime_links where visitor_hash in ${jsonList(manager, 'text')}`;
  return (await manager.query(sql, [JSON.stringify(visitorHashes)])).map(linkProjection.toObject);
}

// As the index `orders_due` has it.
const fromDue = `
  from orders
  where commission_status = 'pending' and status = 'completed' and due_at <= $1
  order by due_at, order_id`;

async function claimDue(manager: EntityManager, digests: Digests, now: number, limit: number): Promise<Order[]> {
  if (!(await tryAdvisoryLock(manager, advisoryLocks.clearing))) return [];
  return selectFound(manager, digests, 'order', {
    ...{ projection: orderProjection, id: 'orders.order_id', values: [now] },
    sql: (more) => `select ${orderProjection.list()}${more} ${fromDue} limit ${limit}${isPostgres(manager) ? ' for update of orders' : ''}`,
  });
}
