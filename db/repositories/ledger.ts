import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { type Movement, type Pool, type StoredSum, storedSums } from '../../domain/ledger/movement.ts';
import type { LedgerStore } from '../../domain/ports.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { balanceColumn } from '../entities/coupons.ts';
import { ledger } from '../entities/ledger.ts';
import { insertRows, jsonRows, jsonTable } from '../sql/insert.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { ledgerChecks } from './ledger-checks.ts';

// By hand and set-based, for the benchmark rows `ingest`, `import` and `request-payout`.

export const ledgerStore = (manager: EntityManager): LedgerStore => ({
  append: async (movements) => {
    if (movements.length === 0) return;
    if (!movements.every(({ amount }) => amount > 0)) throw new Error('Money moves by amounts above zero; the pools say which way.');
    await Promise.all([
      orUnavailable(insertRows(manager, ledger, postingsOf(movements))),
      manager.query(moveBalances(manager), jsonRows(balanceChanges(movements))),
    ]);
  },
  balance: async (couponId, pool) => {
    const sql = `select ${balanceColumn(pool)} as amount from coupons where id = $1`;
    const [row]: { amount: unknown }[] = await manager.query(sql, [couponId]);
    return toSafeInteger(row?.amount);
  },
  ...ledgerChecks(manager),
});

/** Both rows of each movement: it leaves a pool and enters another. */
function postingsOf(movements: readonly Movement[]) {
  // Random, so that no other movement has the same name.
  const batch = randomBytes(9).toString('base64url');
  return movements.flatMap(({ from, to, amount, ...shared }, index) => {
    const movement = { ...shared, movement: `${batch}.${index}` };
    return [
      { ...movement, pool: from, amount: -amount },
      { ...movement, pool: to, amount },
    ];
  });
}

/** For each coupon: its id and the change of each stored sum. */
function balanceChanges(movements: readonly Movement[]): number[][] {
  const changes = new Map<number, Record<Pool | 'multi_level', number>>();
  for (const { couponId, from, to, amount, reason } of movements) {
    const change = changes.get(couponId) ?? {
      ...{ store: 0, handed_over: 0, multi_level: 0, pending_order: 0, unpaid: 0, pending_payout: 0, paid: 0 },
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
  from ${jsonTable(manager, changeColumns)} as change where coupons.id = change.coupon_id`;
