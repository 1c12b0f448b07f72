import type { EntityManager } from 'typeorm';
import type { FirstUse, IdempotencyStore, KeyUse } from '../../domain/idempotency/store.ts';
import { orUnavailable } from '../sql/missing-table.ts';

export const idempotencyStore = (manager: EntityManager): IdempotencyStore => ({
  find: (use, since) => orUnavailable(find(manager, use, since)),
  keep: (use, first, moment) => orUnavailable(keepFirst(manager, use, first, moment)),
  correct: async ({ userId, operation, key }, answer) => {
    await orUnavailable(manager.query(correct, [JSON.stringify(answer), userId, operation, key]));
  },
});

const keepFirst = async (
  manager: EntityManager,
  { userId, operation, key }: KeyUse,
  { request, answer }: FirstUse,
  { now, since }: { now: number; since: number },
): Promise<boolean> => {
  // Whoever keeps one forgets the old ones: there is always as much to forget as was kept.
  await manager.query('delete from idempotency_keys where created_at < $1', [since]);
  const kept: unknown[] = await manager.query(keep, [userId, operation, key, request, JSON.stringify(answer), now]);
  return kept.length > 0;
};

async function find(manager: EntityManager, { userId, operation, key }: KeyUse, since: number): Promise<FirstUse | null> {
  const [row]: { request: string; answer: string }[] = await manager.query(
    'select request, answer from idempotency_keys where user_id = $1 and operation = $2 and idempotency_key = $3 and created_at >= $4',
    [userId, operation, key, since],
  );
  return row ? { request: row.request, answer: JSON.parse(row.answer) } : null;
}

// In lower case, because TypeORM's sqlite driver keeps what an "INSERT " returns to itself.
const keep = `
  insert into idempotency_keys (user_id, operation, idempotency_key, request, answer, created_at) values ($1, $2, $3, $4, $5, $6)
  on conflict (user_id, operation, idempotency_key) do nothing
  returning 1 as kept`;

const correct = 'update idempotency_keys set answer = $1 where user_id = $2 and operation = $3 and idempotency_key = $4';
