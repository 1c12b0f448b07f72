import { type EntityManager, In, IsNull } from 'typeorm';
import type { ConnectionRepository, StoreConnection } from '../../domain/store/connection.ts';
import type { PlatformState } from '../../domain/store/update.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { storeConnections, storeDeliveries, storeOrders } from '../entities/connections.ts';
import { assignExcluded, insertRows, isAmong } from '../sql/insert.ts';
import { findPage, projectionOf, selectRows } from '../sql/projection.ts';

const storedState = projectionOf(storeOrders);
const changedState = projectionOf(storeOrders, [
  'modifiedAt',
  'refunds',
  'exactRefund',
  'includesTax',
  'paid',
  'isDeleted',
  'connectionId',
]);

const storedConnection = projectionOf(storeConnections);

// By hand, like the states of orders: every delivery needs both (benchmark row `store-webhook`).
async function connectionsByIds(manager: EntityManager, ids: readonly string[]): Promise<StoreConnection[]> {
  const sql = `select ${storedConnection.list()} from store_connections where id ${isAmong(manager, 'text')}`;
  return ids.length === 0 ? [] : selectRows(manager, storedConnection, sql, [JSON.stringify(ids)]);
}

async function orderStates(manager: EntityManager, orderIds: readonly number[]): Promise<PlatformState[]> {
  const sql = `select ${storedState.list()} from store_orders where order_id ${isAmong(manager, 'bigint')}`;
  return orderIds.length === 0 ? [] : selectRows(manager, storedState, sql, [JSON.stringify(orderIds)]);
}

const countBy = (manager: EntityManager, property: 'reason' | 'topic', connectionId: string, since = 0) =>
  manager
    .createQueryBuilder(storeDeliveries, 'delivery')
    .select(`delivery.${property}`, 'value')
    .addSelect('count(*)', 'count')
    .where(`delivery.connectionId = :connectionId and delivery.${property} is not null`, { connectionId })
    .andWhere('delivery.receivedAt >= :since', { since })
    .groupBy(`delivery.${property}`)
    .orderBy(`delivery.${property}`)
    .getRawMany<{ value: string; count: string | number }>();

export const connectionRepository = (manager: EntityManager): ConnectionRepository => ({
  byId: async (id) => (await connectionsByIds(manager, [id]))[0] ?? null,
  byIds: (ids) => connectionsByIds(manager, ids),
  active: () => manager.findOneBy(storeConnections, { disconnectedAt: IsNull() }),
  all: () => manager.find(storeConnections, { order: { createdAt: 'DESC', id: 'ASC' } }),
  page: (page) => {
    const query = manager.createQueryBuilder(storeConnections, 'connection').orderBy('connection.createdAt', 'DESC');
    return findPage(query.addOrderBy('connection.id'), page);
  },
  insert: async (connection) => void (await manager.insert(storeConnections, connection)),
  setSecret: async (id, encryptedSecret) => void (await manager.update(storeConnections, { id }, { encryptedSecret })),
  setApi: async (id, api) => void (await manager.update(storeConnections, { id }, api)),
  savePull: async (id, pull) => void (await manager.update(storeConnections, { id }, pull)),
  disconnect: async (id, at) => void (await manager.update(storeConnections, { id }, { disconnectedAt: at })),
  addDeliveries: async (deliveries) => void (await insertRows(manager, storeDeliveries, deliveries)),
  deliveries: async (connectionId, page, reason) => {
    const query = manager.createQueryBuilder(storeDeliveries, 'delivery').where('delivery.connectionId = :connectionId', { connectionId });
    if (reason !== undefined) query.andWhere('delivery.reason = :reason', { reason });
    return findPage(query.orderBy('delivery.id', 'DESC'), page);
  },
  reasons: async (connectionId, since) => {
    const rows = await countBy(manager, 'reason', connectionId, since);
    return rows.map(({ value, count }) => ({ reason: value, count: Number(count) }));
  },
  topics: async (connectionId) => {
    const rows = await countBy(manager, 'topic', connectionId);
    return rows.map(({ value, count }) => ({ topic: value, count: Number(count) }));
  },
  deleteDeliveriesBefore: async (moment, limit) => {
    const old = await manager
      .createQueryBuilder(storeDeliveries, 'delivery')
      .select(['delivery.id'])
      .where('delivery.receivedAt < :moment', { moment })
      .orderBy('delivery.receivedAt')
      .limit(limit)
      .getMany();
    if (old.length > 0) await manager.delete(storeDeliveries, { id: In(old.map(({ id }) => id)) });
    return old.length;
  },
  orderStates: (orderIds) => orderStates(manager, orderIds),
  newestModification: () => manager.maximum(storeOrders, 'modifiedAt').then((newest) => (newest === null ? null : toSafeInteger(newest))),
  saveOrderStates: async (states) =>
    void (await insertRows(manager, storeOrders, states, `on conflict (order_id) do update set ${assignExcluded(changedState)}`)),
});
