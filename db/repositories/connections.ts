import { type EntityManager, In } from 'typeorm';
import type { ConnectionStore } from '../../domain/store/connection.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { storeConnections, storeDeliveries, storeOrders } from '../entities/connections.ts';
import { assignExcluded, insertRows } from '../sql/insert.ts';
import { projectionOf } from '../sql/projection.ts';

const state = projectionOf(storeOrders, ['modifiedAt', 'refunds', 'exactRefund']);

export const connectionStore = (manager: EntityManager): ConnectionStore => ({
  byId: (id) => manager.findOneBy(storeConnections, { id }),
  all: () => manager.find(storeConnections, { order: { createdAt: 'DESC', id: 'ASC' } }),
  insert: async (connection) => void (await manager.insert(storeConnections, connection)),
  setSecret: async (id, encryptedSecret) => void (await manager.update(storeConnections, { id }, { encryptedSecret })),
  setApi: async (id, api) => void (await manager.update(storeConnections, { id }, api)),
  savePull: async (id, pull) => void (await manager.update(storeConnections, { id }, pull)),
  disconnect: async (id, at) => void (await manager.update(storeConnections, { id }, { disconnectedAt: at })),
  addDeliveries: async (deliveries) => void (await insertRows(manager, storeDeliveries, deliveries)),
  deliveries: async (connectionId, limit) => {
    const rows = await manager.find(storeDeliveries, { where: { connectionId }, order: { id: 'DESC' }, take: limit });
    return rows.map(({ id: _id, ...delivery }) => delivery);
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
  orderStates: (orderIds) => manager.findBy(storeOrders, { orderId: In(orderIds) }),
  newestModification: () => manager.maximum(storeOrders, 'modifiedAt').then((newest) => (newest === null ? null : toSafeInteger(newest))),
  saveOrderStates: async (states) =>
    void (await insertRows(manager, storeOrders, states, `on conflict (order_id) do update set ${assignExcluded(state)}`)),
});
