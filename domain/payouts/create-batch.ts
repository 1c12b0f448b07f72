import { dayOf } from '../dates.ts';
import { ApiError } from '../errors.ts';
import type { Secrets } from '../master-key/secrets.ts';
import type { ChangeContext } from '../orders/order-change.ts';
import { readDestination } from '../payout-details/destination.ts';
import type { MethodType } from '../payout-details/payout-details.ts';
import { describeDebt, type HoldPolicy, listHolds, replacedAfterRequest } from '../risk/holds.ts';
import type { SignalRepository } from '../risk/signal.ts';
import type { Transaction } from '../unit-of-work.ts';
import { applyTransition, type TransitionRepositories } from './apply-transition.ts';
import type { BatchCandidate, PayoutBatch } from './batch.ts';
import type { PayoutChangeRepositories } from './change.ts';
import { fileWriters, type PayoutFileFormat } from './files/formats.ts';
import type { FilePayment, Payer } from './files/payment.ts';
import { findTransition } from './payout.ts';

export interface LeftOutPayout {
  payoutId: number;
  reason: string;
  /** What includes it anyway. Null if nothing does. */
  override: 'despite_debt' | 'despite_changes' | 'despite_signals' | 'despite_disabled' | null;
}

export interface BatchRequest {
  format: PayoutFileFormat;
  /** Includes payouts of affiliates whose unpaid commission over all coupons is below zero. */
  despiteDebt?: boolean;
  /** Includes payouts whose details were replaced after the request. */
  despiteChanges?: boolean;
  /** Includes payouts of affiliates that a risk signal holds. */
  despiteSignals?: boolean;
  /** Includes payouts of disabled affiliates. */
  despiteDisabled?: boolean;
  fileName: string;
  payer: Payer;
  /** At most so many payouts, if the format allows more. */
  limit?: number;
}

export interface BatchContext {
  change: ChangeContext;
  /** For payout details. */
  detailsSecrets: Pick<Secrets, 'decrypt'>;
  /** For the stored file. */
  fileSecrets: Pick<Secrets, 'encrypt'>;
  holds: HoldPolicy;
}

export interface NewBatch {
  /** Null if no payout fits: nothing was changed then. */
  batch: PayoutBatch | null;
  text: string;
  leftOut: LeftOutPayout[];
}

/**
 * Moves the pending payouts that fit the format to `created`, and computes their file, which is stored encrypted: a lost file is written
 * again byte by byte. Throws if count or total of the file are not what the ledger holds for these payouts.
 */
export async function createBatch(
  transaction: Transaction<PayoutChangeRepositories & { riskSignals: SignalRepository }>,
  request: BatchRequest,
  context: BatchContext,
): Promise<NewBatch> {
  const { batches } = transaction;
  const { format, fileName, payer } = request;
  const { change } = context;
  if (!(await batches.claim())) throw new ApiError('svc_api_in_progress', { message: 'Another batch is being created. Try again.' });
  const candidates = await batches.candidates();
  const held = await listHolds(
    transaction,
    candidates.map(({ unpaidOfPayee, ...payout }) => ({ ...payout, unpaid: unpaidOfPayee })),
    context.holds,
    change,
  );
  const { chosen, leftOut } = choosePayments(candidates, held, request, context);
  if (chosen.length === 0) return { batch: null, text: '', leftOut };

  const { currency, storeName, zone } = change.program;
  const total = chosen.reduce((sum, { payment }) => sum + payment.amount, 0);
  const beginning: Omit<PayoutBatch, 'id'> = {
    format,
    status: 'open',
    count: chosen.length,
    total,
    currency,
    fileName,
    createdAt: change.now,
    completedAt: null,
    settledAt: null,
  };
  const id = await batches.insert(beginning);
  await batches.addPayouts(
    id,
    chosen.map(({ candidate }) => candidate),
  );
  for (const { candidate } of chosen) await moveToCreated(transaction, candidate, change);

  const fileContext = { batchId: id, storeName, currency, payer, now: change.now, day: dayOf(change.now, zone) };
  const text = fileWriters[format].write(
    chosen.map(({ payment }) => payment),
    fileContext,
  );
  await proveFigures(transaction, { id, ...beginning }, text);
  await batches.update(id, { encryptedFile: context.fileSecrets.encrypt(text, id) });
  return { batch: { id, ...beginning }, text, leftOut };
}

async function moveToCreated(
  transaction: Transaction<TransitionRepositories>,
  candidate: BatchCandidate,
  change: ChangeContext,
): Promise<void> {
  const transition = findTransition('pending', 'created', 'admin');
  if (!transition) throw new Error('The contract has no transition from pending to created.');
  await applyTransition(transaction, candidate, transition, change);
}

/** Compares the file, the batch and the ledger with each other. */
async function proveFigures(
  { batches }: PayoutChangeRepositories,
  { id, format, currency, count, total }: PayoutBatch,
  text: string,
): Promise<void> {
  const inFile = fileWriters[format].readFigures(text, currency);
  const inLedger = await batches.heldAmounts(id);
  for (const figures of [inFile, inLedger])
    if (figures.count !== count || figures.total !== total)
      throw new Error(
        `The file would pay ${inFile.count} payouts of ${inFile.total} in all, and the ledger holds ${inLedger.count} of ${inLedger.total} (minor units). Nothing was changed: run affiliate ledger verify.`,
      );
}

interface Chosen {
  candidate: BatchCandidate;
  payment: FilePayment;
}

/** Payouts of other methods are not left out: another format pays them. */
function choosePayments(
  candidates: readonly BatchCandidate[],
  held: readonly (string | null)[],
  request: BatchRequest,
  context: BatchContext,
) {
  const { kind, limit: limitOfFormat, findProblem } = fileWriters[request.format];
  const limit = Math.min(limitOfFormat, request.limit ?? limitOfFormat);
  const chosen: Chosen[] = [];
  const leftOut: LeftOutPayout[] = [];
  for (const [at, candidate] of candidates.entries()) {
    const hold = held[at] ?? null;
    if (kind !== null && candidate.methodType !== kind) continue;
    const read = readPayment(candidate, context);
    const problem = typeof read === 'string' ? read : findProblem(read, context.change.program.currency);
    const { reason, override } = problem === null ? findDoubt(candidate, hold, request, context) : { reason: problem, override: null };
    if (reason !== null) leftOut.push({ payoutId: candidate.id, reason: `${reason[0]?.toUpperCase()}${reason.slice(1)}.`, override });
    else if (chosen.length === limit)
      leftOut.push({ payoutId: candidate.id, reason: `The file is full (${limit} payouts). Write another.`, override: null });
    else if (typeof read !== 'string') chosen.push({ candidate, payment: read });
  }
  return { chosen, leftOut };
}

/** Why a person should look before the payout is paid. Where signals are opened about debts and replaced details, they decide about these. */
function findDoubt(
  { requestedAt, unpaidOfPayee, replacedAt, payeeDisabledAt }: BatchCandidate,
  hold: string | null,
  { despiteDebt = false, despiteChanges = false, despiteSignals = false, despiteDisabled = false }: BatchRequest,
  { change, holds }: BatchContext,
): { reason: string | null; override: LeftOutPayout['override'] } {
  if (payeeDisabledAt !== null && !despiteDisabled) return { reason: 'the affiliate is disabled', override: 'despite_disabled' };
  if (hold !== null && !despiteSignals) return { reason: hold, override: 'despite_signals' };
  if (unpaidOfPayee < 0 && !despiteDebt && !holds.holdsDebts)
    return { reason: describeDebt(unpaidOfPayee, change.program.currency), override: 'despite_debt' };
  if ((replacedAt ?? 0) > requestedAt && !despiteChanges && holds.detailsChangedHours === null)
    return { reason: replacedAfterRequest, override: 'despite_changes' };
  return { reason: null, override: null };
}

/** Returns why the details cannot be used if they cannot. */
function readPayment(candidate: BatchCandidate, { detailsSecrets }: BatchContext): FilePayment | string {
  const { id, userId, displayName, couponCode, amount, method, methodType, encryptedDetails } = candidate;
  if (methodType === '') return 'the affiliate has saved no payout details';
  if (encryptedDetails === null && methodType !== 'credit') return 'the affiliate has saved no payout details';
  const details = encryptedDetails === null ? {} : decryptDetails(encryptedDetails, userId, detailsSecrets);
  if (details === null) return 'the payout details cannot be decrypted with this master key';
  const read = readDestination(methodType satisfies MethodType, details);
  if (read?.problems)
    return `the saved details are unusable: ${read.problems.map(({ field, problem }) => `${field} ${problem}`).join('; ')}`;
  const payment = { payoutId: id, userId, payee: displayName, couponCode, amount, method, methodType, details };
  return { ...payment, destination: read?.destination ?? null };
}

function decryptDetails(encrypted: string, userId: number, { decrypt }: Pick<Secrets, 'decrypt'>): Record<string, unknown> | null {
  try {
    return JSON.parse(decrypt(encrypted, userId));
  } catch {
    return null;
  }
}
