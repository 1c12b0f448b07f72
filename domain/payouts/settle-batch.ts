import { ApiError } from '../errors.ts';
import type { ChangeContext } from '../orders/order-change.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { BatchRepository, PayoutBatch } from './batch.ts';
import { changePayout, type PayoutChangeRepositories, resolvePayout } from './change.ts';
import { findTransition, type NamedPayout, type PayoutStatus, type PublicStatus } from './payout.ts';

export interface SettledBatch {
  batch: PayoutBatch;
  /** Payouts that got the status of the batch. */
  changed: number;
  /** Payouts whose payment failed. */
  failed: number[];
  /** Payouts that were not `created` any more, and stay as they are. */
  unchanged: { payoutId: number; status: PayoutStatus }[];
}

/**
 * The payouts in `failed` fail; every other payout of the batch that is still `created` is paid. Each by a status change of its own. In a
 * batch that is paid, payouts can still fail: a bank may return money days later.
 */
export async function payBatch(
  transaction: Transaction<PayoutChangeRepositories>,
  id: number,
  failed: readonly number[],
  context: ChangeContext,
): Promise<SettledBatch> {
  const batch = await (failed.length > 0 ? getBatch(transaction, id) : getOpenBatch(transaction, id));
  if (batch.status === 'cancelled') throw isSettled(batch);
  await failPayouts(transaction, id, failed, context);
  if (batch.status === 'paid') return { batch, changed: 0, failed: [...failed], unchanged: [] };
  const settled = await settle(transaction, batch, 'paid', context);
  const unchanged = settled.unchanged.filter(({ payoutId }) => !failed.includes(payoutId));
  return { ...settled, failed: [...failed], unchanged };
}

async function failPayouts(
  transaction: Transaction<PayoutChangeRepositories>,
  batchId: number,
  failed: readonly number[],
  context: ChangeContext,
): Promise<void> {
  const payouts = await transaction.batches.payoutsOf(batchId);
  for (const id of failed) {
    if (!payouts.some((payout) => payout.id === id))
      throw new ApiError('svc_api_conflict', { message: `Payout ${id} is not in batch ${batchId}. Nothing was changed.` });
    await resolvePayout(transaction, id, { to: 'failed', atOnce: true }, context);
  }
}

/** The payouts are pending again, and can be in another batch. Refused if one of them was paid. */
export async function cancelBatch(
  transaction: Transaction<PayoutChangeRepositories>,
  id: number,
  context: ChangeContext,
): Promise<SettledBatch> {
  const batch = await getOpenBatch(transaction, id);
  const paid = (await transaction.batches.payoutsOf(id)).find(({ status }) => status === 'paid');
  if (paid) {
    const message = `Payout ${paid.id} of batch ${id} is paid, so its file may be executed. If it was marked paid by mistake, set it back to created: POST /payouts/${paid.id}/status. If the file was executed, settle the batch with what was not paid in "failed": POST /payout-batches/${id}/status.`;
    throw new ApiError('svc_api_conflict', { message });
  }
  const settled = await settle(transaction, batch, 'pending', context);
  await transaction.batches.release(id);
  return settled;
}

/** @throws svc_api_not_found */
export async function getBatch({ batches }: { batches: BatchRepository }, id: number): Promise<PayoutBatch> {
  const batch = await batches.byId(id);
  if (!batch) throw new ApiError('svc_api_not_found', { message: `There is no batch ${id}.` });
  return batch;
}

async function getOpenBatch(transaction: Transaction<PayoutChangeRepositories>, id: number): Promise<PayoutBatch> {
  const batch = await getBatch(transaction, id);
  if (batch.status !== 'open') throw isSettled(batch);
  return batch;
}

const isSettled = ({ id, status }: PayoutBatch): ApiError =>
  new ApiError('svc_api_conflict', { message: `Batch ${id} is ${status} already.` });

async function settle(
  transaction: Transaction<PayoutChangeRepositories>,
  batch: PayoutBatch,
  to: 'paid' | 'pending',
  context: ChangeContext,
): Promise<SettledBatch> {
  const unchanged: SettledBatch['unchanged'] = [];
  const payouts = await transaction.batches.payoutsOf(batch.id);
  for (const payout of payouts)
    if (payout.status === 'created') await change(transaction, payout, to, context);
    else unchanged.push({ payoutId: payout.id, status: payout.status });
  const settled = { status: to === 'paid' ? 'paid' : 'cancelled', settledAt: context.now } as const;
  // A cancelled file must not be sent: it is not written again.
  await transaction.batches.update(batch.id, { ...settled, ...(to === 'paid' ? {} : { encryptedFile: null }) });
  return { batch: { ...batch, ...settled }, changed: payouts.length - unchanged.length, failed: [], unchanged };
}

async function change(
  transaction: Transaction<PayoutChangeRepositories>,
  payout: NamedPayout,
  to: PublicStatus,
  context: ChangeContext,
): Promise<void> {
  const transition = findTransition(payout.status, to, 'admin');
  if (!transition) throw new ApiError('svc_api_invalid_transition');
  await changePayout(transaction, { payout, transition }, context);
}

/** A file with bank details is kept while a bank may ask about it. */
const fileRetentionMs = 90 * 24 * 60 * 60 * 1000;

export const deleteOldFiles = ({ batches }: Transaction<{ batches: BatchRepository }>, now: number): Promise<void> =>
  batches.deleteFiles(now - fileRetentionMs);

/** @throws ApiError for a batch that does not exist or is settled, so that nothing is paid twice, and for a file that is not stored any more. */
export async function getBatchFile(
  { batches }: { batches: BatchRepository },
  id: number,
): Promise<{ batch: PayoutBatch; encrypted: string }> {
  const batch = await getBatch({ batches }, id);
  if (batch.status !== 'open') {
    const message = `Batch ${id} is ${batch.status}, so its file is not given out again: nothing may be paid twice. Its payouts without their destinations: GET /payout-batches/${id}.`;
    throw new ApiError('svc_api_conflict', { message });
  }
  const encrypted = await batches.encryptedFile(id);
  if (encrypted === null)
    throw new ApiError('svc_api_not_found', { message: `The file of batch ${id} is not stored any more. ${whyDeleted}` });
  return { batch, encrypted };
}

const whyDeleted =
  'Files are deleted 90 days after their batch was settled, when a person in them is erased, and when the master key that encrypted them is lost.';
