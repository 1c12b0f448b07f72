import { dayOf } from '../domain/dates.ts';
import { ApiError } from '../domain/errors.ts';
import { createBatch, type NewBatch } from '../domain/payouts/create-batch.ts';
import { findCurrencyProblem, nameFile, type PayoutFileFormat } from '../domain/payouts/files/formats.ts';
import type { Payer } from '../domain/payouts/files/payment.ts';
import { cancelBatch, getBatch, payBatch } from '../domain/payouts/settle-batch.ts';
import type { Repositories } from '../domain/repositories.ts';
import type { components } from '../generated/api.d.ts';
import { buildPayer, listMissingPayerSettings } from '../site/payer.ts';
import { buildHoldPolicy } from '../site/program.ts';
import type { Settings } from '../site/settings/settings.ts';
import { changeContext, type OperationHandler } from './context.ts';
import { payoutBatchDetailView, payoutBatchView } from './views/payout-batch.ts';
import { totals } from './views/user.ts';

/** Payouts of a batch that is created here, and payouts that a response lists. */
const maxPayouts = 1000;
const maxLeftOut = 500;

export const get_payout_batches: OperationHandler<'get_payout_batches'> = async ({ query }, { storage, settings }) => {
  const { page, per_page: perPage } = query;
  const { items, total } = await storage.read(({ batches }) => batches.page({ page, perPage }));
  const body = items.map((batch) => payoutBatchView(batch, settings.store.timezone));
  return { status: 200, body, headers: totals(total, perPage) };
};

export const get_payout_batches_id: OperationHandler<'get_payout_batches_id'> = async ({ path }, { storage, settings }) => {
  const body = await storage.read((db) => readDetail(db, path.id, settings));
  return { status: 200, body };
};

export const post_payout_batches: OperationHandler<'post_payout_batches'> = async ({ body }, context) => {
  const { format, despite_debt: despiteDebt, despite_changes: despiteChanges, despite_signals: despiteSignals } = body;
  const { despite_disabled: despiteDisabled } = body;
  const { storage, settings, now } = context;
  const fileName = nameFile(format, `payouts-${format}-${dayOf(now, settings.store.timezone)}`);
  const request = {
    format,
    despiteDebt,
    despiteChanges,
    despiteSignals,
    despiteDisabled,
    fileName,
    payer: requirePayer(settings, format),
    limit: maxPayouts,
  };
  const creation = {
    change: changeContext(context),
    detailsSecrets: context.secretsFor('payout_details'),
    fileSecrets: context.secretsFor('payout_file'),
    holds: buildHoldPolicy(settings),
  };
  const created = await storage.write(async (transaction) => {
    const { batch, leftOut } = await createBatch(transaction, request, creation);
    if (!batch) throw nothingToPay(format, leftOut);
    // The file is stored, so that nothing can interrupt it.
    await transaction.batches.update(batch.id, { completedAt: now });
    return { ...(await readDetail(transaction, batch.id, settings)), left_out: leftOut.slice(0, maxLeftOut).map(leftOutView) };
  });
  return { status: 201, body: created };
};

export const post_payout_batches_id_status: OperationHandler<'post_payout_batches_id_status'> = async ({ path, body }, context) => {
  const { status, failed = [] } = body;
  if (status === 'cancel' && failed.length > 0) throw failedOfCancelled();
  const { storage, settings } = context;
  const settled = await storage.write(async (transaction) => {
    if (status === 'paid') await payBatch(transaction, path.id, [...new Set(failed)], changeContext(context));
    else await cancelBatch(transaction, path.id, changeContext(context));
    return readDetail(transaction, path.id, settings);
  });
  return { status: 200, body: settled };
};

async function readDetail(db: Pick<Repositories, 'batches'>, id: number, { store }: Settings) {
  const batch = await getBatch(db, id);
  return payoutBatchDetailView(batch, await db.batches.payoutsOf(id, maxPayouts), store.timezone);
}

function requirePayer(settings: Settings, format: PayoutFileFormat): Payer {
  const problem = findCurrencyProblem(format, settings.store.currency);
  const missing = listMissingPayerSettings(settings, format);
  if (problem !== null) throw new ApiError('svc_api_conflict', { message: `${problem} Choose another format.` });
  if (missing.length > 0)
    throw new ApiError('svc_api_conflict', { message: `The account that pays is not set. Set ${missing.join(' and ')}.` });
  return buildPayer(settings);
}

type LeftOut = NewBatch['leftOut'];

const leftOutView = ({ payoutId, reason, override }: LeftOut[number]): components['schemas']['LeftOutPayout'] => ({
  payout_id: payoutId,
  reason,
  override,
});

function nothingToPay(format: PayoutFileFormat, leftOut: LeftOut): ApiError {
  const reasons = leftOut.slice(0, 20).map(({ payoutId, reason }) => ` Payout ${payoutId}: ${reason}`);
  return new ApiError('svc_api_conflict', {
    message: `No pending payout can be paid by a file of the format ${format}.${reasons.join('')}`,
  });
}

function failedOfCancelled(): ApiError {
  const sentence = 'failed is only for a batch that is paid.';
  return new ApiError('rest_invalid_param', { message: sentence, data: { params: { failed: sentence } } });
}
