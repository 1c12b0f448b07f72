import { type EntityManager, LessThan, MoreThanOrEqual } from 'typeorm';
import type { FirstUse, IdempotencyRepository, KeyUse } from '../../domain/idempotency.ts';
import { idempotencyKeys } from '../entities/engine.ts';
import { insertRows } from '../sql/insert.ts';
import { orUnavailable } from '../sql/missing-table.ts';

export const idempotencyRepository = (manager: EntityManager): IdempotencyRepository => ({
  // Only these three fields: callers pass objects with further ones, and TypeORM would compare them too.
  find: ({ userId, operation, key }, since) =>
    orUnavailable(
      manager.findOne(idempotencyKeys, {
        select: { request: true, answer: true },
        where: { userId, operation, key, createdAt: MoreThanOrEqual(since) },
      }),
    ),
  insert: (use, first, moment) => orUnavailable(keepFirst(manager, use, first, moment)),
  updateAnswer: async (use, answer) =>
    void (await orUnavailable(manager.update(idempotencyKeys, { ...use }, { answer: answer as object }))),
});

async function keepFirst(
  manager: EntityManager,
  use: KeyUse,
  { request, answer }: FirstUse,
  { now, since }: { now: number; since: number },
): Promise<boolean> {
  // Each insert deletes what has expired, so that the table does not grow.
  await manager.delete(idempotencyKeys, { createdAt: LessThan(since) });
  // By hand: says whether the row is new, without an error that would end the transaction on PostgreSQL.
  const inserted = await insertRows(
    manager,
    idempotencyKeys,
    [{ ...use, request, answer, createdAt: now }],
    'on conflict do nothing returning operation',
  );
  return inserted.length > 0;
}
