import { randomBytes } from 'node:crypto';
import { type EntityManager, In } from 'typeorm';
import { groupBy } from '../../domain/group-by.ts';
import { type Movement, type Pool, type StoredSum, storedSums } from '../../domain/ledger/movement.ts';
import type { LedgerRepository } from '../../domain/ledger/repository.ts';
import type { Minor } from '../../domain/money.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { balanceColumn, coupons } from '../entities/coupons.ts';
import { ledger } from '../entities/ledger.ts';
import { insertRows, joinsRow, jsonRows, jsonTable } from '../sql/insert.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { ledgerChecks } from './ledger-checks.ts';

// By hand and set-based, for the benchmark rows `ingest`, `import` and `request-payout`.

export const ledgerRepository = (manager: EntityManager): LedgerRepository => ({
  append: async (movements) => {
    if (movements.length === 0) return;
    if (!movements.every(({ amount }) => amount > 0)) throw new Error('Money moves by amounts above zero; the pools say which way.');
    await Promise.all([
      orUnavailable(insertRows(manager, ledger, postingsOf(movements))),
      manager.query(moveBalances(manager), jsonRows(balanceChanges(movements))),
    ]);
  },
  balance: async (couponId, pool) => {
    const coupon = manager.createQueryBuilder(coupons, 'coupon').where('coupon.id = :couponId', { couponId });
    return toSafeInteger((await coupon.select(balanceColumn(pool), 'amount').getRawOne<{ amount: unknown }>())?.amount);
  },
  ofOrder: (orderId, couponIds, limit) => movementsOf(manager, orderId, couponIds, limit),
  ...ledgerChecks(manager),
});

/** Both rows of each movement: it leaves a pool and enters another. */
function postingsOf(movements: readonly Movement[]) {
  // Random, so that no other movement has the same name.
  const batch = randomBytes(9).toString('base64url');
  return movements.flatMap((movement, index) => [
    postingOf(movement, `${batch}.${index}`, movement.from, -movement.amount),
    postingOf(movement, `${batch}.${index}`, movement.to, movement.amount),
  ]);
}

/** The fields are written out because `{ ...shared, pool, amount }` costs several times as much (benchmark row `import`). */
const postingOf = ({ couponId, reason, orderId, payoutId, userId, note, at }: Movement, movement: string, pool: Pool, amount: Minor) => ({
  movement,
  couponId,
  pool,
  amount,
  reason,
  orderId,
  payoutId,
  userId,
  note,
  at,
});

async function movementsOf(manager: EntityManager, orderId: number, couponIds: readonly number[], limit: number): Promise<Movement[]> {
  // As the index `ledger_of_coupon` has it.
  const where = { couponId: In(couponIds), orderId };
  const postings = await manager.find(ledger, { where, order: { id: 'DESC' }, take: 2 * limit });
  const pairs = groupBy(postings, ({ movement }) => movement);
  return [...pairs.values()].toReversed().flatMap((pair) => {
    const [from, to] = [pair.find(({ amount }) => amount < 0), pair.find(({ amount }) => amount > 0)];
    if (!from || !to) return [];
    const { id: _id, movement: _movement, pool, ...shared } = to;
    return [{ ...shared, from: from.pool, to: pool }];
  });
}

/** For each coupon: its id and the change of each stored sum. */
function balanceChanges(movements: readonly Movement[]): number[][] {
  const changes = new Map<number, Record<Pool | 'multi_level', number>>();
  for (const { couponId, from, to, amount, reason } of movements) {
    const change = changes.get(couponId) ?? {
      store: 0,
      handed_over: 0,
      multi_level: 0,
      pending_order: 0,
      unpaid: 0,
      pending_payout: 0,
      paid: 0,
    };
    change[from] -= amount;
    change[to] += amount;
    if (reason === 'mla') change.multi_level += from === 'store' ? amount : -amount;
    changes.set(couponId, change);
  }
  return [...changes].map(([couponId, change]) => [couponId, ...storedSums.map((sum) => change[sum])]);
}

const changeColumns = {
  coupon_id: 'bigint',
  ...(Object.fromEntries(storedSums.map((sum) => [sum, 'bigint'])) as Record<StoredSum, 'bigint'>),
} as const;

const moveBalances = (manager: EntityManager): string => `
  update coupons set ${storedSums.map((sum) => `${balanceColumn(sum)} = ${balanceColumn(sum)} + change.${sum}`).join(', ')}
  from ${jsonTable(manager, changeColumns)} as change where ${joinsRow(manager, 'coupons.id', 'change.coupon_id')}`;
