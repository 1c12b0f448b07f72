import type { EntityManager } from 'typeorm';
import type { BrokenMovement, Found, LedgerProofs, RowFlaw, StrangeRow, WrongBalance } from '../../domain/ledger/checks.ts';
import { pools, reasons } from '../../domain/ledger/movement.ts';
import { balanceColumns, type KeptPool, keptPools } from '../entities/balance-columns.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { found, listed, type Row } from '../sql/top-n.ts';

export const ledgerProofs = (manager: EntityManager): Pick<LedgerProofs, 'wrongBalances' | 'brokenMovements' | 'strangeRows'> => ({
  wrongBalances: (limit) => wrongBalances(manager, limit),
  brokenMovements: (limit) => brokenMovements(manager, limit),
  strangeRows: (limit) => strangeRows(manager, limit),
});

const keptBalances = keptPools
  .map((pool) => `select id as coupon_id, '${pool}' as pool, ${balanceColumns[pool]} as kept, 0 as moved from coupons`)
  .join(' union all ');

// With the plus sign SQLite reads the table from end to end. Left to itself it follows the index of the coupons, back and forth.
const movedBalances = `select +coupon_id, pool, 0, amount_minor from ledger where pool in (${listed(keptPools)})`;

const findWrongBalances = `
  select wrong.*, coupons.code from (
    select coupon_id, pool, sum(kept) as kept, sum(moved) as in_ledger from (${keptBalances} union all ${movedBalances}) as both_sides
    group by coupon_id, pool having sum(kept) <> sum(moved)
  ) as wrong join coupons on coupons.id = wrong.coupon_id`;

const wrongBalances = (manager: EntityManager, limit: number): Promise<Found<WrongBalance>> =>
  found(manager, { question: findWrongBalances, order: 'coupon_id, pool' }, limit, (row) => ({
    couponId: toSafeInteger(row['coupon_id']),
    code: String(row['code']),
    pool: row['pool'] as KeptPool,
    kept: toSafeInteger(row['kept']),
    inLedger: toSafeInteger(row['in_ledger']),
  }));

const differ = (column: string): string => `min(${column}) <> max(${column})`;
const differOrMiss = (column: string): string => `(${differ(column)} or count(${column}) not in (0, count(*)))`;

// What the two rows of a movement share. Only pools they do not: money that leaves a pool arrives in another.
const disagreements: Record<string, string> = {
  coupon: differ('coupon_id'),
  reason: differ('reason'),
  order: differOrMiss('order_id'),
  payout: differOrMiss('payout_id'),
  user: differ('user_id'),
  note: differ('note'),
  time: differ('created_at'),
  'both are in one pool': 'min(pool) = max(pool)',
};
const topics = Object.entries(disagreements);

const findBrokenMovements = `
  select movement, count(*) as rows, sum(amount_minor) as sum,
    ${topics.map(([, condition], place) => `case when ${condition} then 1 else 0 end as topic_${place}`).join(', ')}
  from ledger group by movement
  having count(*) <> 2 or sum(amount_minor) <> 0 or ${topics.map(([, condition]) => condition).join(' or ')}`;

const brokenMovements = (manager: EntityManager, limit: number): Promise<Found<BrokenMovement>> =>
  found(manager, { question: findBrokenMovements, order: 'movement' }, limit, (row) => ({
    movement: String(row['movement']),
    rows: toSafeInteger(row['rows']),
    sum: toSafeInteger(row['sum']),
    differing: topics.filter((_topic, place) => toSafeInteger(row[`topic_${place}`]) === 1).map(([topic]) => topic),
  }));

// In the order in which they are looked for: later ones take for granted that the earlier ones are not there.
const rowFlaws: Record<RowFlaw, string> = {
  pool: `ledger.pool not in (${listed(pools)})`,
  reason: `ledger.reason not in (${listed(reasons)})`,
  coupon: 'coupons.id is null',
  purpose: `case when ledger.reason = 'payout' then ledger.payout_id is null or ledger.order_id is not null
    else ledger.order_id is null or ledger.payout_id is not null end`,
  order: 'ledger.order_id is not null and orders.order_id is null',
  payout: 'ledger.payout_id is not null and payouts.id is null',
  user: 'ledger.user_id <> 0 and users.id is null',
  note: "ledger.note = ''",
  amount: 'abs(ledger.amount_minor) <> payouts.amount_minor',
};

const firstFlaw = Object.entries(rowFlaws)
  .map(([flaw, condition]) => `when ${condition} then '${flaw}'`)
  .join(' ');

const findStrangeRows = `
  select * from (
    select ledger.*, payouts.amount_minor as payout_amount, case ${firstFlaw} end as flaw
    from ledger
    left join coupons on coupons.id = ledger.coupon_id
    left join orders on orders.order_id = ledger.order_id
    left join payouts on payouts.id = ledger.payout_id
    left join users on users.id = ledger.user_id
  ) as looked_at where flaw is not null`;

const numberOrNull = (value: unknown): number | null => (value === null ? null : toSafeInteger(value));

const strangeRows = (manager: EntityManager, limit: number): Promise<Found<StrangeRow>> =>
  found(manager, { question: findStrangeRows, order: 'id' }, limit, toStrangeRow);

const toStrangeRow = (row: Row): StrangeRow => ({
  id: toSafeInteger(row['id']),
  movement: String(row['movement']),
  flaw: row['flaw'] as RowFlaw,
  pool: String(row['pool']),
  reason: String(row['reason']),
  couponId: toSafeInteger(row['coupon_id']),
  orderId: numberOrNull(row['order_id']),
  payoutId: numberOrNull(row['payout_id']),
  userId: toSafeInteger(row['user_id']),
  amount: toSafeInteger(row['amount_minor']),
  payoutAmount: numberOrNull(row['payout_amount']),
});
