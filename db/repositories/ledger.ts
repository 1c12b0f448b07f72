import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Movement, Pool } from '../../domain/ledger/movement.ts';
import type { LedgerStore } from '../../domain/ledger/store.ts';
import { balanceColumns, type KeptPool, keptPools } from '../entities/balance-columns.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { jsonRows, jsonTable } from '../sql/json-parameters.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { ledgerProofs } from './ledger-checks.ts';
import { sumProofs } from './sum-checks.ts';

export const ledgerStore = (manager: EntityManager): LedgerStore => ({
  append: async (movements) => {
    if (movements.length === 0) return;
    if (!movements.every(({ amount }) => amount > 0)) throw new Error('Money moves by amounts above zero; the pools say which way.');
    await orUnavailable(manager.query(writeRows(manager), jsonRows(valuesOf(movements))));
    await manager.query(moveBalances(manager), jsonRows(balanceChanges(movements)));
  },
  balance: async (couponId, pool) => {
    const [row]: { amount: unknown }[] = await manager.query(`select ${balanceColumns[pool]} as amount from coupons where id = $1`, [
      couponId,
    ]);
    return toSafeInteger(row?.amount);
  },
  ...ledgerProofs(manager),
  ...sumProofs(manager),
});

const movementColumns = {
  movement: 'text',
  coupon_id: 'bigint',
  from_pool: 'text',
  to_pool: 'text',
  amount: 'bigint',
  reason: 'text',
  order_id: 'bigint',
  payout_id: 'bigint',
  user_id: 'bigint',
  note: 'text',
  at: 'bigint',
} as const;

// Both rows of a movement from one: it leaves a pool (-1) and enters another (1).
const writeRows = (manager: EntityManager): string => `
  insert into ledger (movement, coupon_id, pool, amount_minor, reason, order_id, payout_id, user_id, note, created_at)
  select movement, coupon_id, case side when 1 then to_pool else from_pool end, side * amount, reason, order_id, payout_id, user_id, note, at
  from ${jsonTable(manager, movementColumns)} as given cross join (select -1 as side union all select 1) as sides`;

function valuesOf(movements: readonly Movement[]): unknown[][] {
  // Nobody else has this, so neither has anybody else a movement of this name.
  const batch = randomBytes(9).toString('base64url');
  return movements.map(({ couponId, from, to, amount, reason, orderId, payoutId, userId, note, at }, index) => [
    `${batch}.${index}`,
    couponId,
    from,
    to,
    amount,
    reason,
    orderId,
    payoutId,
    userId,
    note,
    at,
  ]);
}

/** Of each coupon that is touched: its id and the change of each pool. */
function balanceChanges(movements: readonly Movement[]): number[][] {
  const changes = new Map<number, Record<Pool, number>>();
  for (const { couponId, from, to, amount } of movements) {
    const change = changes.get(couponId) ?? { store: 0, pending_order: 0, unpaid: 0, pending_payout: 0, paid: 0 };
    change[from] -= amount;
    change[to] += amount;
    changes.set(couponId, change);
  }
  return [...changes].map(([couponId, change]) => [couponId, ...keptPools.map((pool) => change[pool])]);
}

const changeColumns = {
  coupon_id: 'bigint',
  ...(Object.fromEntries(keptPools.map((pool) => [pool, 'bigint'])) as Record<KeptPool, 'bigint'>),
} as const;

const moveBalances = (manager: EntityManager): string => `
  update coupons set ${keptPools.map((pool) => `${balanceColumns[pool]} = ${balanceColumns[pool]} + change.${pool}`).join(', ')}
  from ${jsonTable(manager, changeColumns)} as change where coupons.id = change.coupon_id`;
