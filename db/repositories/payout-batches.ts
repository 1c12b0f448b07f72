import { type EntityManager, IsNull, LessThan, Not } from 'typeorm';
import type { BatchRepository, HeldAmounts, PayoutBatch } from '../../domain/payouts/batch.ts';
import { advisoryLocks } from '../engine/dialect.ts';
import { bigint, isId, nullable, text, toSafeInteger } from '../entities/columns.ts';
import { payoutBatches, payoutBatchItems, payouts } from '../entities/payouts.ts';
import { insertRows } from '../sql/insert.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { findPage, resultColumns, selectRows, tryAdvisoryLock } from '../sql/projection.ts';
import { namedPayout, namedPayoutSelect } from './payouts.ts';

// By hand: the payouts of a batch with the names of their coupon and payee, as payouts.ts selects them, and what the ledger holds for it, summed
// by one statement.

export const payoutBatchRepository = (manager: EntityManager): BatchRepository => ({
  claim: () => tryAdvisoryLock(manager, advisoryLocks.payoutBatches),
  openBatchOf: (payoutId) => orUnavailable(openBatchOf(manager, payoutId)),
  allOf: (payoutId) => orUnavailable(allOf(manager, payoutId)),
  createdInNone: () => createdInNone(manager),
  candidates: () => orUnavailable(selectRows(manager, candidate, selectCandidates, [])),
  // A copy, because TypeORM writes the id into the object.
  insert: async (batch) => toSafeInteger((await manager.insert(payoutBatches, { ...batch })).identifiers[0]?.['id']),
  addPayouts: async (batchId, added) => {
    const rows = added.map(({ id: payoutId, amount }) => ({ batchId, payoutId, amount, isCurrent: true }));
    await insertRows(manager, payoutBatchItems, rows);
  },
  heldAmounts: (batchId) => heldAmounts(manager, batchId),
  byId: async (id) => (isId(id) ? manager.findOneBy(payoutBatches, { id }) : null),
  all: () => manager.find(payoutBatches, { order: { id: 'DESC' } }),
  page: (page) => orUnavailable(findPage(manager.createQueryBuilder(payoutBatches, 'batch').orderBy('batch.id', 'DESC'), page)),
  payoutsOf: (batchId, limit) =>
    selectRows(manager, namedPayout, limit === undefined ? selectOfBatch : `${selectOfBatch} limit ${limit}`, [batchId]),
  encryptedFile: async (id) =>
    (await manager.findOne(payoutBatches, { where: { id }, select: { id: true, encryptedFile: true } }))?.encryptedFile ?? null,
  deleteFiles: async (before) =>
    void (await manager.update(payoutBatches, { settledAt: LessThan(before), encryptedFile: Not(IsNull()) }, { encryptedFile: null })),
  update: async (id, change) => void (await manager.update(payoutBatches, { id }, change)),
  release: async (batchId) => void (await manager.update(payoutBatchItems, { batchId }, { isCurrent: false })),
});

async function openBatchOf(manager: EntityManager, payoutId: number): Promise<number | null> {
  const item = await manager
    .createQueryBuilder(payoutBatchItems, 'item')
    .innerJoin('payout_batches', 'batch', "batch.id = item.batchId and batch.status = 'open'")
    .where('item.payoutId = :payoutId and item.isCurrent = 1', { payoutId })
    .getOne();
  return item?.batchId ?? null;
}

const allOf = (manager: EntityManager, payoutId: number): Promise<Pick<PayoutBatch, 'id' | 'createdAt' | 'settledAt'>[]> =>
  manager
    .createQueryBuilder(payoutBatches, 'batch')
    .select(['batch.id', 'batch.createdAt', 'batch.settledAt'])
    .innerJoin('payout_batch_items', 'item', 'item.batch_id = batch.id and item.payout_id = :payoutId', { payoutId })
    .orderBy('batch.id')
    .getMany();

async function createdInNone(manager: EntityManager): Promise<number[]> {
  const found = await manager
    .createQueryBuilder(payouts, 'payouts')
    .select('payouts.id')
    .where(`payouts.status = 'created' and ${isInNoBatch}`)
    .orderBy('payouts.id')
    .getMany();
  return found.map(({ id }) => id);
}

const candidate = namedPayout.plus({
  encryptedDetails: nullable(text('encrypted_details')),
  replacedAt: nullable(bigint('replaced_at')),
  emailChangedAt: nullable(bigint('email_changed_at')),
  payeeDisabledAt: nullable(bigint('payee_disabled_at')),
  unpaidOfPayee: bigint('unpaid_of_payee'),
});

const isInNoBatch = `not exists (
  select 1 from payout_batch_items where payout_batch_items.payout_id = payouts.id and payout_batch_items.is_current = 1
)`;

const selectCandidates = `
  ${namedPayoutSelect(`, payout_details.encrypted_details, users.email_changed_at, users.disabled_at as payee_disabled_at,
    case when payout_details.updated_at > payout_details.first_saved_at then payout_details.updated_at end as replaced_at,
    (select sum(unpaid_minor) from coupons as own where own.user_id = payouts.user_id) as unpaid_of_payee`)}
  left join payout_details on payout_details.user_id = payouts.user_id
  where payouts.status = 'pending' and ${isInNoBatch} order by payouts.id`;

const selectOfBatch = `
  ${namedPayoutSelect()} join payout_batch_items on payout_batch_items.payout_id = payouts.id
  where payout_batch_items.batch_id = $1 order by payouts.id`;

const held = resultColumns({ count: bigint('held_count'), total: bigint('held_total') });

async function heldAmounts(manager: EntityManager, batchId: number): Promise<HeldAmounts> {
  const [row] = await manager.query(
    `select count(*) as held_count, coalesce(sum(in_ledger), 0) as held_total from (
      select payout_batch_items.amount_minor, sum(ledger.amount_minor) as in_ledger
      from payout_batch_items join ledger on ledger.payout_id = payout_batch_items.payout_id
      where payout_batch_items.batch_id = $1 and ledger.pool = 'pending_payout'
      group by payout_batch_items.payout_id, payout_batch_items.amount_minor
    ) as sums where in_ledger = amount_minor`,
    [batchId],
  );
  return held.toObject(row);
}
