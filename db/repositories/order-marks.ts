import type { EntityManager } from 'typeorm';
import type { OrderMarkRepository } from '../../domain/orders/order-mark.ts';
import { orderMarks } from '../entities/orders.ts';
import { insertRows } from '../sql/insert.ts';

export const orderMarkRepository = (manager: EntityManager): OrderMarkRepository => ({
  add: async (marks) => void (await insertRows(manager, orderMarks, marks, 'on conflict do nothing')),
});
