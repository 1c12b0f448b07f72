import type { EntityManager } from 'typeorm';
import type {
  BrokenMovement,
  LedgerChecks,
  PayoutFlaw,
  RowFlaw,
  StrangePayout,
  StrangeRow,
  TopFindings,
  WrongBalance,
  WrongSum,
} from '../../domain/ledger/checks.ts';
import { adjustmentNote, balancePools, orderReasons, pools, reasons, type StoredSum, storedSums } from '../../domain/ledger/movement.ts';
import { openStatuses } from '../../domain/payouts/payout.ts';
import { bigint, type Column, text, toSafeInteger } from '../entities/columns.ts';
import { balanceColumn } from '../entities/coupons.ts';
import { type Projection, resultColumns } from '../sql/projection.ts';

// By hand: checks of `affiliate ledger` that compare whole tables in one pass. What two sources say is put under each other and summed,
// which also finds what only one of them knows.

export const ledgerChecks = (manager: EntityManager): LedgerChecks => ({
  wrongBalances: (limit) => findFirst(manager, selectWrongBalances, 'coupon_id, pool', limit, wrongBalance.toObject),
  brokenMovements: (limit) => findFirst(manager, selectBrokenMovements, 'movement', limit, readBrokenMovement),
  strangeRows: (limit) => findFirst(manager, selectStrangeRows, 'id', limit, strangeRow.toObject),
  wrongOrders: (limit) => findFirst(manager, selectWrong(saidByOrders, movedForOrders), 'id, coupon_id, pool', limit, wrongSum.toObject),
  wrongShares: (limit) => findFirst(manager, selectWrong(saidByShares, movedForShares), 'id, coupon_id, pool', limit, wrongSum.toObject),
  wrongPayouts: (limit) => findFirst(manager, selectWrong(saidByPayouts, movedForPayouts), 'id, coupon_id, pool', limit, wrongSum.toObject),
  wrongAdjustments: (limit) =>
    findFirst(
      manager,
      `with ${adjustmentNotes} ${selectWrong(saidByAdjustments, movedForAdjustments)}`,
      'id, coupon_id, pool',
      limit,
      wrongSum.toObject,
    ),
  strangePayouts: (limit) => findFirst(manager, selectStrangePayouts, 'id', limit, strangePayout.toObject),
});

type Row = Record<string, unknown>;

/** A sum that a finding shows: of changed amounts it may be too large to be exact. */
export const sum = (name: string): Column<number> => ({ name, type: 'bigint', transformer: { from: Number, to: Number } });

/** The first rows of a query, in this order, and the number of all. */
export async function findFirst<Finding>(
  manager: EntityManager,
  select: string,
  order: string,
  limit: number,
  read: (row: Row) => Finding,
): Promise<TopFindings<Finding>> {
  const sql = `select found.*, count(*) over () as in_all from (${select}) as found order by ${order} limit ${limit}`;
  const rows: Row[] = await manager.query(sql);
  return { first: rows.map(read), total: toSafeInteger(rows[0]?.['in_all'] ?? 0) };
}

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');
const firstOf = (flaws: readonly (readonly [flaw: string, condition: string])[]): string =>
  `case ${flaws.map(([flaw, condition]) => `when ${condition} then '${flaw}'`).join(' ')} end as flaw`;

// Balances of coupons, beside the sums of their movements.

const storedBalances = storedSums
  .map((pool) => `select id as coupon_id, '${pool}' as pool, ${balanceColumn(pool)} as kept, 0 as moved from coupons`)
  .join(' union all ');

// With the plus sign SQLite reads the table sequentially. Otherwise it follows the index of the coupons, back and forth.
const movedBalances = `
  select +coupon_id, pool, 0, amount_minor from ledger where pool in (${quoted([...balancePools, 'handed_over'])})
  union all select +coupon_id, 'multi_level', 0, -amount_minor from ledger where pool = 'store' and reason = 'mla'`;

const selectWrongBalances = `
  select wrong.*, coupons.code from (
    select coupon_id, pool, sum(kept) as kept, sum(moved) as in_ledger from (${storedBalances} union all ${movedBalances}) as both_sides
    group by coupon_id, pool having sum(kept) <> sum(moved)
  ) as wrong join coupons on coupons.id = wrong.coupon_id`;

const wrongBalance: Projection<WrongBalance> = resultColumns({
  couponId: bigint('coupon_id'),
  code: text('code'),
  pool: text<StoredSum>('pool'),
  kept: sum('kept'),
  inLedger: sum('in_ledger'),
});

// The two rows of a movement, beside each other. They differ in their pools alone.

const differ = (column: string): string => `min(${column}) <> max(${column})`;
const differOrMiss = (column: string): string => `(${differ(column)} or count(${column}) not in (0, count(*)))`;

const disagreements = Object.entries({
  coupon: differ('coupon_id'),
  reason: differ('reason'),
  order: differOrMiss('order_id'),
  payout: differOrMiss('payout_id'),
  user: differ('user_id'),
  note: differ('note'),
  time: differ('created_at'),
  'both are in one pool': 'min(pool) = max(pool)',
});

const selectBrokenMovements = `
  select movement, count(*) as rows, sum(amount_minor) as sum,
    ${disagreements.map(([, condition], place) => `case when ${condition} then 1 else 0 end as topic_${place}`).join(', ')}
  from ledger group by movement
  having count(*) <> 2 or sum(amount_minor) <> 0 or ${disagreements.map(([, condition]) => condition).join(' or ')}`;

const readBrokenMovement = (row: Row): BrokenMovement => ({
  movement: String(row['movement']),
  rows: toSafeInteger(row['rows']),
  sum: Number(row['sum']),
  differing: disagreements.filter((_topic, place) => Number(row[`topic_${place}`]) === 1).map(([topic]) => topic),
});

// Single rows of the ledger. The first flaw counts: later conditions presume that the earlier ones do not hold.

/** The column that the sentence about a flaw names, and the condition. */
const rowFlaws: Record<RowFlaw, [column: string, condition: string]> = {
  pool: ['pool', `ledger.pool not in (${quoted(pools)})`],
  reason: ['reason', `ledger.reason not in (${quoted(reasons)})`],
  coupon: ['coupon_id', 'coupons.id is null'],
  purpose: [
    'reason',
    `case ledger.reason when 'payout' then ledger.payout_id is null or ledger.order_id is not null
     when 'transfer' then ledger.payout_id is not null or ledger.order_id is not null
     when 'adjustment' then ledger.payout_id is not null or ledger.order_id is not null
     when 'forfeit' then ledger.payout_id is not null or ledger.order_id is not null
     else ledger.order_id is null or ledger.payout_id is not null end`,
  ],
  order: ['order_id', 'ledger.order_id is not null and orders.order_id is null'],
  payout: ['payout_id', 'ledger.payout_id is not null and payouts.id is null'],
  user: ['user_id', 'ledger.user_id <> 0 and users.id is null'],
  note: ['note', "ledger.note = ''"],
  amount: ['payout_id', 'abs(ledger.amount_minor) <> payouts.amount_minor'],
};

const selectStrangeRows = `
  select id, movement, flaw, case flaw ${Object.entries(rowFlaws)
    .map(([flaw, [column]]) => `when '${flaw}' then cast(${column} as text)`)
    .join(' ')} end as value from (
    select ledger.*, ${firstOf(Object.entries(rowFlaws).map(([flaw, [, condition]]) => [flaw, condition]))}
    from ledger
    left join coupons on coupons.id = ledger.coupon_id
    left join orders on orders.order_id = ledger.order_id
    left join payouts on payouts.id = ledger.payout_id
    left join users on users.id = ledger.user_id
  ) as checked where flaw is not null`;

const strangeRow: Projection<StrangeRow> = resultColumns({
  id: bigint('id'),
  movement: text('movement'),
  flaw: text<RowFlaw>('flaw'),
  value: text('value'),
});

// What orders, their shares and payouts say of the pools, beside what their movements did there.

// Orders that were recorded before their coupon changed hands: whatever they say, in whichever pool it was, is one sum. Few coupons ever change
// hands, so that the orders of others are not looked up.
const isHandedOver = (row: string): string => `(
  ${row}.coupon_id in (select id from coupons where handovers > 0) and exists (
    select 1 from orders as kept join coupons on coupons.id = kept.coupon_id
    where kept.order_id = ${row}.order_id and kept.handovers < coupons.handovers
  )
)`;

// A reversed order has returned everything: whatever it still says lies nowhere.
const saidByOrders = `
  select order_id as id, coupon_id,
    case when ${isHandedOver('orders')} then 'handed_over' else case commission_status when 'pending' then 'pending_order' when 'granted' then 'unpaid' else 'store' end end as pool,
    commission_minor as said, 0 as moved
  from orders where commission_minor <> 0`;

const movedForOrders = `
  select order_id, coupon_id, case when ${isHandedOver('ledger')} then 'handed_over' else pool end, 0, amount_minor from ledger
  where reason in (${quoted(orderReasons)}) and order_id is not null and pool <> 'store'`;

const saidByShares = `
  select order_id as id, coupon_id, 'unpaid' as pool, amount_minor as said, 0 as moved from order_shares where amount_minor <> 0`;

const movedForShares = `
  select order_id, coupon_id, case pool when 'handed_over' then 'unpaid' else pool end, 0, amount_minor
  from ledger where reason = 'mla' and order_id is not null and pool <> 'store'`;

const open = quoted(openStatuses);

const saidByPayouts = `
  select id, coupon_id, case when status = 'paid' then 'paid' else 'pending_payout' end as pool, amount_minor as said, 0 as moved
  from payouts where status = 'paid' or status in (${open})
  union all
  select id, coupon_id, 'unpaid', -amount_minor, 0 from payouts where status = 'paid' or status in (${open})`;

const movedForPayouts = 'select payout_id, coupon_id, pool, 0, amount_minor from ledger where payout_id is not null';

// The movement names its adjustment in the note. One that names none is found with the id 0. Materialized, because SQLite would otherwise
// compute the notes of all adjustments for each movement.
const adjustmentNotes = `named as materialized (select id, '${adjustmentNote('')}' || id as note from adjustments)`;

const saidByAdjustments = `
  select id, coupon_id, 'unpaid' as pool, amount_minor as said, 0 as moved from adjustments`;

const movedForAdjustments = `
  select coalesce(named.id, 0), ledger.coupon_id, ledger.pool, 0, ledger.amount_minor from ledger
  left join named on named.note = ledger.note
  where ledger.reason = 'adjustment' and ledger.pool <> 'store'`;

const wrongSum: Projection<WrongSum> = resultColumns({
  id: bigint('id'),
  couponId: bigint('coupon_id'),
  pool: text('pool'),
  said: sum('said'),
  moved: sum('moved'),
});

const selectWrong = (said: string, moved: string): string => `
  select id, coupon_id, pool, sum(said) as said, sum(moved) as moved from (${said} union all ${moved}) as both_sides
  group by id, coupon_id, pool having sum(said) <> sum(moved)`;

// A cancelled payout has moved nothing in the end, so its sums do not show that its movements are missing.
const payoutFlaws: Record<PayoutFlaw, string> = {
  'no movements': 'moved.payout_id is null',
  'paid without a day': "payouts.status = 'paid' and (payouts.paid_at is null or payouts.paid_day is null)",
  'a day without being paid': "payouts.status <> 'paid' and (payouts.paid_at is not null or payouts.paid_day is not null)",
};

const selectStrangePayouts = `
  select * from (
    select payouts.id, payouts.coupon_id, payouts.amount_minor, payouts.status, ${firstOf(Object.entries(payoutFlaws))}
    from payouts left join (select distinct payout_id from ledger where payout_id is not null) as moved on moved.payout_id = payouts.id
  ) as checked where flaw is not null`;

const strangePayout: Projection<StrangePayout> = resultColumns({
  id: bigint('id'),
  couponId: bigint('coupon_id'),
  amount: bigint('amount_minor'),
  status: text('status'),
  flaw: text<PayoutFlaw>('flaw'),
});
