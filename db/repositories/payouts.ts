import type { EntityManager } from 'typeorm';
import { type Caller, callerIsAdmin } from '../../domain/caller.ts';
import { ApiError } from '../../domain/errors.ts';
import type { NamedPayout, NewPayout, Payout } from '../../domain/payouts/payout.ts';
import { openStatuses } from '../../domain/payouts/steps.ts';
import type { PayoutStore } from '../../domain/payouts/store.ts';
import { isUniqueViolation } from '../engine/database-error.ts';
import { advisoryLocks } from '../engine/dialect.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';
import { namedPayouts, payoutValues, toNamedPayout } from '../entities/payout-columns.ts';
import { Conditions } from '../sql/conditions.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { returnedRows } from '../sql/returned-rows.ts';
import { wrongCounts, wrongPools } from './payout-checks.ts';
import { countPayout, payoutFigures } from './payout-counts.ts';
import { pageOfPayouts } from './payout-pages.ts';

type Row = Record<string, unknown>;

export const payoutStore = (manager: EntityManager): PayoutStore => ({
  byId: (id) => orUnavailable(one(manager, new Conditions().and('payouts.id = ?', id), id)),
  visibleTo: (caller, id) => orUnavailable(visibleTo(manager, caller, id)),
  page: (filter, order, page) => orUnavailable(pageOfPayouts(manager, filter, order, page)),
  openOf: (couponId) => orUnavailable(openOf(manager, couponId)),
  processing: () => orUnavailable(processing(manager)),
  claim: (couponId) => claim(manager, couponId),
  insert: (payout) => orUnavailable(insert(manager, payout)),
  move: (before, after) => orUnavailable(move(manager, before, after)),
  figures: (range) => orUnavailable(payoutFigures(manager, range)),
  wrongPools: () => wrongPools(manager),
  wrongCounts: () => wrongCounts(manager),
});

async function one(manager: EntityManager, { where, values }: Conditions, id: number): Promise<NamedPayout | null> {
  if (!isId(id)) return null;
  const [row]: Row[] = await manager.query(`${namedPayouts} ${where}`, values);
  return row ? toNamedPayout(row) : null;
}

function visibleTo(manager: EntityManager, caller: Caller, id: number): Promise<NamedPayout | null> {
  const conditions = new Conditions().and('payouts.id = ?', id);
  return one(manager, callerIsAdmin(caller) ? conditions : conditions.and('payouts.user_id = ?', caller.user.id), id);
}

const openOnes = `payouts.status in (${openStatuses.map((status) => `'${status}'`).join(', ')})`;

const openOf = (manager: EntityManager, couponId: number): Promise<NamedPayout | null> =>
  one(manager, new Conditions().and('payouts.coupon_id = ?', couponId).and(openOnes), couponId);

async function processing(manager: EntityManager): Promise<NamedPayout[]> {
  const rows: Row[] = await manager.query(`${namedPayouts} where payouts.status = 'processing' order by payouts.day, payouts.id`);
  return rows.map(toNamedPayout);
}

/** On SQLite there is one writer anyway. */
async function claim(manager: EntityManager, couponId: number): Promise<boolean> {
  if (manager.connection.options.type !== 'postgres') return true;
  const question = `select pg_try_advisory_xact_lock(${advisoryLocks.payoutRequests}, hashint8($1)) as free`;
  const [row]: { free: boolean }[] = await manager.query(question, [couponId]);
  return row?.free === true;
}

async function insert(manager: EntityManager, payout: NewPayout): Promise<number | null> {
  const values = payoutValues(payout);
  const places = Object.keys(values).map((_column, index) => `$${index + 1}`);
  // In lower case, because TypeORM's sqlite driver keeps what an "INSERT " returns to itself.
  const [inserted]: { id: unknown }[] = await manager.query(
    `insert into payouts (${Object.keys(values).join(', ')}) values (${places.join(', ')})
     on conflict do nothing returning id`,
    Object.values(values),
  );
  if (!inserted) return null;
  await countPayout(manager, null, payout);
  return toSafeInteger(inserted.id);
}

// The moment of payment too: one who saw it paid may meet it paid again, on another day, which its counts go by.
const take = `
  update payouts set status = $1, transaction_id = $2, paid_day = $3, paid_at = $4
  where id = $5 and status = $6 and coalesce(paid_at, 0) = $7
  returning id`;

async function move(manager: EntityManager, before: Payout, after: Payout): Promise<boolean> {
  const values = [after.status, after.transactionId, after.paidDay, after.paidAt, before.id, before.status, before.paidAt ?? 0];
  const taken: { id: unknown }[] = await manager.query(take, values).catch((error: unknown) => {
    // Another request of the coupon was opened since somebody looked.
    throw isUniqueViolation(error) ? new ApiError('svc_api_conflict') : error;
  });
  if (returnedRows(taken).length === 0) return false;
  await countPayout(manager, before, after);
  return true;
}
