import { ApiError } from '../errors.ts';
import type { ChangeContext } from '../orders/order-change.ts';
import type { Transaction } from '../unit-of-work.ts';
import { applyTransition, type TransitionRepositories } from './apply-transition.ts';
import type { BatchRepository } from './batch.ts';
import {
  findTransition,
  type NamedPayout,
  needs,
  type PayoutStatus,
  type PayoutTransition,
  type PublicStatus,
  publicStatus,
} from './payout.ts';
import type { PayoutRepository } from './repository.ts';

export interface PayoutChange {
  payout: NamedPayout;
  transition: PayoutTransition;
}

export interface PayoutChangeRepositories extends TransitionRepositories {
  batches: BatchRepository;
}

/**
 * Finds the transition for the payout's current status, which `changePayout` compares in its transaction. `seen` is the status that the caller
 * decided by.
 */
export async function findChange(
  { payouts }: { payouts: PayoutRepository },
  id: number,
  to: PublicStatus,
  seen?: PublicStatus,
): Promise<PayoutChange> {
  const payout = await payouts.byId(id);
  if (!payout) throw new ApiError('svc_api_not_found');
  if (payout.status === to) throw new ApiError('svc_api_no_change');
  const isSeen = seen === undefined || [seen, to].includes(publicStatus(payout.status));
  if (!isSeen) throw isByNow(id, payout.status);
  if (payout.status === 'processing') throw new ApiError('svc_api_invalid_transition', { message: processingMessage(id) });
  const transition = findTransition(payout.status, to, 'admin');
  if (!transition) throw new ApiError('svc_api_invalid_transition');
  return { payout, transition };
}

const isByNow = (id: number, status: PayoutStatus): ApiError =>
  new ApiError('svc_api_conflict', {
    message: `Payout ${id} is ${publicStatus(status)} by now. This request changed nothing: look at the payout again.`,
  });

const processingMessage = (id: number): string =>
  `Payout ${id} is being processed by its payment gateway, whose result is not known. Look it up at the payment provider, then record the result with "affiliate payout resolve ${id} --as paid", "--as created", "--as pending" or "--as failed".`;

/**
 * As `changePayout`, for a single payout. One whose batch is open can only become paid, because its file may be executed, and created again
 * where it was marked paid by mistake.
 */
export async function changeSinglePayout(
  transaction: Transaction<PayoutChangeRepositories>,
  change: PayoutChange,
  context: ChangeContext,
): Promise<NamedPayout> {
  const { from, to } = change.transition;
  if (to !== 'paid' && !(from === 'paid' && to === 'created')) await refuseOpenBatch(transaction, change.payout.id);
  return changePayout(transaction, change, context);
}

async function refuseOpenBatch({ batches }: PayoutChangeRepositories, id: number): Promise<void> {
  const batch = await batches.openBatchOf(id);
  if (batch === null) return;
  const message = `Payout ${id} is in the payout file of batch ${batch}, which is open, so its payment may be executed. If it failed, settle the batch as paid with this payout in "failed"; if the file was not sent, cancel the batch: POST /payout-batches/${batch}/status.`;
  throw new ApiError('svc_api_conflict', { message });
}

/** Bookkeeping only: no gateway is called. */
export async function changePayout(
  transaction: Transaction<TransitionRepositories>,
  { payout, transition }: PayoutChange,
  context: ChangeContext,
): Promise<NamedPayout> {
  // Read again before the balance: the loser of a race gets a conflict and not a lack of balance.
  const current = await transaction.payouts.byId(payout.id);
  if (!current) throw new ApiError('svc_api_conflict');
  if (current.status !== payout.status || current.paidAt !== payout.paidAt) throw isByNow(payout.id, current.status);
  if (needs(transition, 'unpaid_holds_amount')) await requireUnpaid(transaction, current);
  if (needs(transition, 'free_slot')) await requireFreeSlot(transaction, current);
  return applyTransition(transaction, current, transition, context);
}

async function requireUnpaid({ ledger }: TransitionRepositories, { couponId, amount }: NamedPayout): Promise<void> {
  if ((await ledger.balance(couponId, 'unpaid')) < amount) throw new ApiError('svc_api_insufficient_unpaid');
}

async function requireFreeSlot({ payouts }: TransitionRepositories, { couponId }: NamedPayout): Promise<void> {
  const open = await payouts.openOf(couponId);
  if (!open) return;
  const message = `Payout ${open.id} of the same coupon is open. Settle or cancel it first: a coupon has one open payout at a time.`;
  throw new ApiError('svc_api_conflict', { message });
}

export const resolutions = ['pending', 'created', 'paid', 'failed'] as const;
export type Resolution = (typeof resolutions)[number];

/** What the payment provider says about a payout whose gateway call was interrupted, or whose payment failed later. */
export interface PayoutResolution {
  to: Resolution;
  /** The provider's transaction id. */
  transactionId?: string;
  /** Resolve although the gateway call may still run. */
  atOnce: boolean;
}

/** Longer than a gateway call: after that, the process that made it has ended. */
export const gatewayMilliseconds = 10 * 60_000;

export const mayBeInProgress = ({ requestedAt }: Pick<NamedPayout, 'requestedAt'>, now: number): boolean =>
  now - requestedAt < gatewayMilliseconds;

/** As `resolvePayout`, for a payout whose batch is not open. */
export async function resolveSinglePayout(
  transaction: Transaction<PayoutChangeRepositories>,
  id: number,
  resolution: PayoutResolution,
  context: ChangeContext,
): Promise<NamedPayout> {
  if (resolution.to !== 'paid') await refuseOpenBatch(transaction, id);
  return resolvePayout(transaction, id, resolution, context);
}

/**
 * Resolves a payout whose gateway call was interrupted, by what the operator found at the payment provider. Payouts that are created or paid
 * can fail too. It is recorded as the gateway's transition.
 */
export async function resolvePayout(
  transaction: Transaction<TransitionRepositories>,
  id: number,
  { to, transactionId, atOnce }: PayoutResolution,
  context: ChangeContext,
): Promise<NamedPayout> {
  const payout = await transaction.payouts.byId(id);
  if (!payout) throw new ApiError('svc_api_not_found', { message: `There is no payout ${id}.` });
  const transition = findTransition(payout.status, to, 'gateway');
  if (!transition) throw new ApiError('svc_api_invalid_transition', { message: describeRefusal(payout, to) });
  if (!atOnce && payout.status === 'processing' && mayBeInProgress(payout, context.now))
    throw new ApiError('svc_api_in_progress', { message: inProgressMessage(id) });
  return applyTransition(transaction, payout, transition, context, transactionId === undefined ? {} : { transactionId });
}

const describeRefusal = ({ id, status }: NamedPayout, to: Resolution): string =>
  to === 'failed'
    ? `Payout ${id} is ${status}. Only a payout that is created, processing or paid can fail.`
    : `Payout ${id} is ${status}, not processing.`;

const inProgressMessage = (id: number): string =>
  `Payout ${id} was requested less than ten minutes ago, so its gateway may still be working on it. Wait, or pass --now if the service was stopped since.`;
