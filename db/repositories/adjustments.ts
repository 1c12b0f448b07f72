import type { EntityManager } from 'typeorm';
import type { Adjustment, AdjustmentFilter, AdjustmentRepository } from '../../domain/adjustments/adjustment.ts';
import type { Page, Paged } from '../../domain/page.ts';
import { adjustments } from '../entities/adjustments.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { findPage } from '../sql/projection.ts';

export const adjustmentRepository = (manager: EntityManager): AdjustmentRepository => ({
  insert: (adjustment) => orUnavailable(insert(manager, adjustment)),
  page: (filter, page) => orUnavailable(pageOfAdjustments(manager, filter, page)),
});

/** Of a copy, because TypeORM writes the id into the object. */
const insert = async (manager: EntityManager, adjustment: Omit<Adjustment, 'id'>): Promise<number> =>
  toSafeInteger((await manager.insert(adjustments, { ...adjustment })).identifiers[0]?.['id']);

async function pageOfAdjustments(manager: EntityManager, { userId, couponId }: AdjustmentFilter, page: Page): Promise<Paged<Adjustment>> {
  if ([userId, couponId].some((id) => id !== undefined && !isId(id))) return { items: [], total: 0 };
  const query = manager.createQueryBuilder(adjustments, 'adjustment');
  if (userId !== undefined) query.andWhere('adjustment.userId = :userId', { userId });
  if (couponId !== undefined) query.andWhere('adjustment.couponId = :couponId', { couponId });
  return findPage(query.orderBy('adjustment.id', 'DESC'), page);
}
