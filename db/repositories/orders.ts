import type { EntityManager } from 'typeorm';
import type { Order, Share } from '../../domain/orders/order.ts';
import type { LifetimeLink, OrderStore } from '../../domain/orders/store.ts';
import { advisoryLocks } from '../engine/dialect.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { type OrderRow, orderColumns, orderValues, toOrder } from '../entities/order-columns.ts';
import { jsonList, jsonRows, jsonTable } from '../sql/json-parameters.ts';
import { returnedRows } from '../sql/returned-rows.ts';

// In lower case throughout: TypeORM's sqlite driver recognises statements by "INSERT " and "UPDATE " and keeps what they return to itself.

export const orderStore = (manager: EntityManager): OrderStore => ({
  byIds: async (orderIds) => {
    if (orderIds.length === 0) return [];
    const rows: OrderRow[] = await manager.query(`select * from orders where order_id in ${jsonList(manager, 'bigint')}`, [
      JSON.stringify(orderIds),
    ]);
    return rows.map(toOrder);
  },
  save: async (orders) => {
    if (orders.length > 0) await manager.query(saveOrders(manager), jsonRows(orders.map(orderValues)));
  },
  anyDue: async (now) => (await manager.query(`${due} limit 1`, [now])).length > 0,
  claimDue: (now, limit) => claimDue(manager, now, limit),
  sharesOf: (orderIds) => sharesOf(manager, orderIds),
  saveShares: async (shares) => {
    if (shares.length > 0) await manager.query(saveShares(manager), jsonRows(shares.map(shareValues)));
  },
  lifetimeLinksOf: (visitorHashes) => lifetimeLinksOf(manager, visitorHashes),
  addLifetimeLinks: async (links) => {
    const rows = links.map(({ visitorHash, couponId, createdAt }) => [visitorHash, couponId, createdAt]);
    if (links.length > 0) await manager.query(addLinks(manager), jsonRows(rows));
  },
});

const columnNames = Object.keys(orderColumns);

const changing = [
  'day',
  'placed_at',
  'status',
  'total_minor',
  'discount_minor',
  'shipping_minor',
  'tax_minor',
  'quantity',
  'refunded_minor',
  'commission_minor',
  'commission_status',
  'granted_at',
  'due_at',
  'campaign',
] as const satisfies (keyof typeof orderColumns)[];

// `where true`, because SQLite would take "on conflict" for the condition of a join.
const saveOrders = (manager: EntityManager): string => `
  insert into orders (${columnNames.join(', ')})
  select ${columnNames.join(', ')} from ${jsonTable(manager, orderColumns)} as given where true
  on conflict (order_id) do update set ${changing.map((name) => `${name} = excluded.${name}`).join(', ')}`;

// As the index `orders_due` has it.
const due = `
  select order_id from orders
  where commission_status = 'pending' and status = 'completed' and due_at <= $1
  order by due_at, order_id`;

/** False while another process is granting. On SQLite there is one writer anyway. */
async function isOurTurn(manager: EntityManager): Promise<boolean> {
  if (manager.connection.options.type !== 'postgres') return true;
  const [row]: { free: boolean }[] = await manager.query(`select pg_try_advisory_xact_lock(${advisoryLocks.clearing}) as free`);
  return row?.free === true;
}

async function claimDue(manager: EntityManager, now: number, limit: number): Promise<Order[]> {
  if (!(await isOurTurn(manager))) return [];
  // Asked again in the update itself: what is granted already is not granted twice, whoever gets here.
  const answer = await manager.query(
    `update orders set commission_status = 'granted', granted_at = $1
     where order_id in (${due} limit ${limit}) and commission_status = 'pending'
     returning *`,
    [now],
  );
  return returnedRows<OrderRow>(answer)
    .map(toOrder)
    .sort((one, other) => one.dueAt - other.dueAt || one.orderId - other.orderId);
}

const shareColumns = {
  order_id: 'bigint',
  tier: 'bigint',
  coupon_id: 'bigint',
  user_id: 'bigint',
  rate_thousandths: 'bigint',
  amount_minor: 'bigint',
} as const;

const shareValues = (share: Share): unknown[] => [
  share.orderId,
  share.tier,
  share.couponId,
  share.userId,
  share.rateThousandths,
  share.amount,
];

const saveShares = (manager: EntityManager): string => `
  insert into order_shares (${Object.keys(shareColumns).join(', ')})
  select * from ${jsonTable(manager, shareColumns)} as given where true
  on conflict (order_id, tier) do update set amount_minor = excluded.amount_minor`;

async function sharesOf(manager: EntityManager, orderIds: readonly number[]): Promise<Share[]> {
  const rows: Record<keyof typeof shareColumns, unknown>[] = await manager.query(
    `select * from order_shares where order_id in ${jsonList(manager, 'bigint')} order by order_id, tier`,
    [JSON.stringify(orderIds)],
  );
  return rows.map((row) => ({
    orderId: toSafeInteger(row.order_id),
    tier: toSafeInteger(row.tier),
    couponId: toSafeInteger(row.coupon_id),
    userId: toSafeInteger(row.user_id),
    rateThousandths: toSafeInteger(row.rate_thousandths),
    amount: toSafeInteger(row.amount_minor),
  }));
}

const addLinks = (manager: EntityManager): string => `
  insert into lifetime_links (visitor_hash, coupon_id, created_at)
  select * from ${jsonTable(manager, { visitor_hash: 'text', coupon_id: 'bigint', created_at: 'bigint' })} as given where true
  on conflict do nothing`;

async function lifetimeLinksOf(manager: EntityManager, visitorHashes: readonly string[]): Promise<LifetimeLink[]> {
  if (visitorHashes.length === 0) return [];
  const rows: { visitor_hash: string; coupon_id: unknown; created_at: unknown }[] = await manager.query(
    `select * from lifetime_links where visitor_hash in ${jsonList(manager, 'text')}`,
    [JSON.stringify(visitorHashes)],
  );
  return rows.map((row) => ({
    visitorHash: row.visitor_hash,
    couponId: toSafeInteger(row.coupon_id),
    createdAt: toSafeInteger(row.created_at),
  }));
}
