import type { Minor } from '../money.ts';
import type { Page, Paged } from '../page.ts';
import type { PayoutFileFormat } from './files/formats.ts';
import type { NamedPayout } from './payout.ts';

export type BatchStatus = 'open' | 'paid' | 'cancelled';

/** Payouts that are paid by one file. */
export interface PayoutBatch {
  id: number;
  format: PayoutFileFormat;
  status: BatchStatus;
  count: number;
  total: Minor;
  currency: string;
  /** The path that the file was first written to. */
  fileName: string;
  createdAt: number;
  /** When the file had its name. Null if that is unknown: the command was interrupted. */
  completedAt: number | null;
  /** When it was paid or cancelled. */
  settledAt: number | null;
}

/** A pending payout that is in no batch. */
export interface BatchCandidate extends NamedPayout {
  /** The payee's saved details. Null when there are none. */
  encryptedDetails: string | null;
  /** When the payee last replaced the details. Null if they are those that were saved first. */
  replacedAt: number | null;
  emailChangedAt: number | null;
  payeeDisabledAt: number | null;
  /** The payee's unpaid commission over all coupons. Below zero it is a debt. */
  unpaidOfPayee: Minor;
}

/** What the ledger holds for the payouts of a batch. */
export interface HeldAmounts {
  /** Payouts for which `pending_payout` holds exactly the amount in the batch. */
  count: number;
  total: Minor;
}

export interface BatchRepository {
  /** The open batch that the payout is in. */
  openBatchOf(payoutId: number): Promise<number | null>;
  /** The batches that the payout is or was in. */
  allOf(payoutId: number): Promise<Pick<PayoutBatch, 'id' | 'createdAt' | 'settledAt'>[]>;
  /** Payouts that are `created` and in no batch that was not cancelled. */
  createdInNone(): Promise<number[]>;
  /** Locks the creation of batches until the end of the transaction. False while another process holds the lock. */
  claim(): Promise<boolean>;
  /** Oldest first. */
  candidates(): Promise<BatchCandidate[]>;
  insert(batch: Omit<PayoutBatch, 'id'>): Promise<number>;
  addPayouts(batchId: number, payouts: readonly Pick<NamedPayout, 'id' | 'amount'>[]): Promise<void>;
  heldAmounts(batchId: number): Promise<HeldAmounts>;
  byId(id: number): Promise<PayoutBatch | null>;
  /** Newest first. */
  all(): Promise<PayoutBatch[]>;
  /** Newest first. */
  page(page: Page): Promise<Paged<PayoutBatch>>;
  /** Oldest first; the first ones if there is a limit. */
  payoutsOf(batchId: number, limit?: number): Promise<NamedPayout[]>;
  encryptedFile(batchId: number): Promise<string | null>;
  /** Of batches that were settled before. */
  deleteFiles(before: number): Promise<void>;
  update(id: number, change: Partial<Omit<PayoutBatch, 'id'>> & { encryptedFile?: string | null }): Promise<void>;
  /** The payouts can be in another batch from now on. */
  release(batchId: number): Promise<void>;
}
