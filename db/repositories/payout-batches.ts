import type { EntityManager } from 'typeorm';
import type { BatchRepository, HeldAmounts } from '../../domain/payouts/batch.ts';
import { advisoryLocks } from '../engine/dialect.ts';
import { bigint, boolean, isId, nullable, text, toSafeInteger } from '../entities/columns.ts';
import { payoutBatches, payoutBatchItems } from '../entities/payouts.ts';
import { insertRows, insertWithId } from '../sql/insert.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { resultColumns, selectRows, tryAdvisoryLock } from '../sql/projection.ts';
import { namedPayout, namedPayoutSelect } from './payouts.ts';

export const payoutBatchRepository = (manager: EntityManager): BatchRepository => ({
  claim: () => tryAdvisoryLock(manager, advisoryLocks.payoutBatches),
  openBatchOf: async (payoutId) => {
    const [row]: { batch_id: unknown }[] = await orUnavailable(manager.query(selectOpenBatch, [payoutId]));
    return row ? toSafeInteger(row.batch_id) : null;
  },
  createdInNone: async () => {
    const rows: { id: unknown }[] = await manager.query(`select id from payouts where status = 'created' and ${isInNoBatch} order by id`);
    return rows.map(({ id }) => toSafeInteger(id));
  },
  candidates: () => orUnavailable(selectRows(manager, candidate, selectCandidates, [])),
  insert: (batch) => insertWithId(manager, payoutBatches, batch, null),
  addPayouts: async (batchId, payouts) => {
    const rows = payouts.map(({ id: payoutId, amount }) => ({ batchId, payoutId, amount, isCurrent: true }));
    await insertRows(manager, payoutBatchItems, rows);
  },
  heldAmounts: (batchId) => heldAmounts(manager, batchId),
  byId: async (id) => (isId(id) ? manager.findOneBy(payoutBatches, { id }) : null),
  all: () => manager.find(payoutBatches, { order: { id: 'DESC' } }),
  payoutsOf: async (batchId) => (await manager.query(selectOfBatch, [batchId])).map(namedPayout.toObject),
  encryptedFile: async (id) =>
    (await manager.findOne(payoutBatches, { where: { id }, select: { id: true, encryptedFile: true } }))?.encryptedFile ?? null,
  update: async (id, change) => void (await manager.update(payoutBatches, { id }, change)),
  release: async (batchId) => void (await manager.update(payoutBatchItems, { batchId }, { isCurrent: false })),
});

const candidate = namedPayout.plus({
  encryptedDetails: nullable(text('encrypted_details')),
  isDestinationReplaced: boolean('is_replaced'),
  unpaidOfPayee: bigint('unpaid_of_payee'),
});

const isInNoBatch = `not exists (
  select 1 from payout_batch_items where payout_batch_items.payout_id = payouts.id and payout_batch_items.is_current = 1
)`;

const selectCandidates = `
  ${namedPayoutSelect(`, payout_details.encrypted_details,
    case when payout_details.updated_at > payouts.requested_at and payout_details.updated_at > payout_details.first_saved_at
      then 1 else 0 end as is_replaced,
    (select sum(unpaid_minor) from coupons as own where own.user_id = payouts.user_id) as unpaid_of_payee`)}
  left join payout_details on payout_details.user_id = payouts.user_id
  where payouts.status = 'pending' and ${isInNoBatch} order by payouts.id`;

const selectOpenBatch = `
  select batch_id from payout_batch_items join payout_batches on payout_batches.id = payout_batch_items.batch_id
  where payout_batch_items.payout_id = $1 and payout_batch_items.is_current = 1 and payout_batches.status = 'open'`;

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
