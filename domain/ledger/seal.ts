import { createHash } from 'node:crypto';
import type { Digest, DigestedRecords, DigestKind } from './digest.ts';
import type { Pool, Reason } from './movement.ts';
import { isSignedBy, type SealingKey } from './sealing-key.ts';

/** One row of the ledger; a movement has two. */
export interface LedgerRow {
  id: number;
  movement: string;
  couponId: number;
  pool: Pool;
  amount: number;
  reason: Reason;
  orderId: number | null;
  payoutId: number | null;
  userId: number;
  note: string;
  at: number;
}

export interface DigestRow extends Digest {
  id: number;
  kind: DigestKind;
  objectId: number;
}

/** A link of the chain: all rows of the ledger and all digests up to these ids. */
export interface Seal {
  /** From 1, without gaps. */
  number: number;
  /** The last row of the ledger, and the last digest, that it covers. */
  ledgerId: number;
  digestId: number;
  /** The rows that it covers and the seal before it does not. */
  rows: number;
  /**
   * Not null in the first seal, and after a lost key in the seals over what that key had marked, which take as it is what exists: rows of the
   * ledger up to this id have no mark of the key.
   */
  unmarkedTo: number | null;
  publicKey: string;
  sealedAt: number;
  /** SHA-256 in hex, over the hash before it, its own figures and its rows. */
  hash: string;
  signature: string;
}

/** The last ids up to which something is read. */
export interface SealPosition {
  ledgerId: number;
  digestId: number;
}

/** Before every row, also one that was inserted with an id that the service never uses. */
export const beforeAll: SealPosition = { ledgerId: Number.MIN_SAFE_INTEGER, digestId: Number.MIN_SAFE_INTEGER };

/** How far ids are final, and the transactions that may still fill some of them. */
export interface SealHorizon extends SealPosition {
  writers: string[];
}

export interface SealStore {
  last(): Promise<Seal | null>;
  after(number: number, limit: number): Promise<Seal[]>;
  /** False while another process seals. */
  claim(): Promise<boolean>;
  insert(seal: Seal): Promise<void>;
  horizon(): Promise<SealHorizon>;
  /** Those of them that still run. */
  stillWriting(writers: readonly string[]): Promise<string[]>;
  lastIds(): Promise<SealPosition>;
  /** The latest time of the rows of the ledger after this id; 0 if there are none. */
  newestAt(after: number): Promise<number>;
  ledgerRows(after: number, upTo: number, limit: number): Promise<LedgerRow[]>;
  digestRows(after: number, upTo: number, limit: number): Promise<DigestRow[]>;
  /** By id. */
  records<Kind extends DigestKind>(kind: Kind, after: number, limit: number): Promise<DigestedRecords[Kind][]>;
  /** As `records`; until the end of the transaction none of them changes. */
  lockedRecords<Kind extends DigestKind>(kind: Kind, after: number, limit: number): Promise<DigestedRecords[Kind][]>;
  /** All digests of these records, by record and id. */
  digestsOf(kind: DigestKind, objectIds: readonly number[]): Promise<DigestRow[]>;
  /** Tables with rows whose id or values the service never writes, and which the statements above would pass over or read differently. */
  impossibleRows(): Promise<{ table: string; rows: number }[]>;
  /** Ids of records that have a digest and no row, above this one. */
  missing(kind: DigestKind, after: number, limit: number): Promise<number[]>;
  /** As of records that there were not before. */
  beginDigests<Kind extends DigestKind>(kind: Kind, records: readonly DigestedRecords[Kind][]): Promise<void>;
}

/** Collects the rows of a seal. */
export class SealedRows {
  readonly #hash = createHash('sha256');
  rows = 0;

  add({ ledger, digests }: { ledger: readonly LedgerRow[]; digests: readonly DigestRow[] }): void {
    for (const row of ledger) this.#update([row.id, row.movement, row.couponId, row.pool, row.amount, row.reason, ...restOf(row)]);
    for (const { id, kind, objectId, digest, before } of digests)
      this.#update([id, kind, objectId, digest, ...(before === null ? [] : [before])]);
    this.rows += ledger.length + digests.length;
  }

  hash(): string {
    return this.#hash.digest('hex');
  }

  #update(values: unknown[]): void {
    this.#hash.update(`${JSON.stringify(values)}\n`);
  }
}

const restOf = ({ orderId, payoutId, userId, note, at }: LedgerRow): unknown[] => [orderId, payoutId, userId, note, at];

export type UnsignedSeal = Omit<Seal, 'hash' | 'signature'>;

export function hashSeal(seal: UnsignedSeal, before: string, rowsHash: string): string {
  const { number, ledgerId, digestId, rows, unmarkedTo, publicKey, sealedAt } = seal;
  const text = JSON.stringify(['seal/1', before, number, ledgerId, digestId, rows, unmarkedTo, publicKey, sealedAt, rowsHash]);
  return createHash('sha256').update(text).digest('hex');
}

/** The hash before the first seal. */
export const noHash = '';

export function signSeal(key: SealingKey, unsigned: UnsignedSeal, before: string, rowsHash: string): Seal {
  const hash = hashSeal(unsigned, before, rowsHash);
  return { ...unsigned, hash, signature: key.sign(signedText(unsigned.number, hash)) };
}

/** What the signature is over. */
const signedText = (number: number, hash: string): string => `affiliate-ledger-seal ${number} ${hash}`;

export const isSigned = ({ number, hash, signature, publicKey }: Seal): boolean =>
  isSignedBy(publicKey, signedText(number, hash), signature);

const sealsAtATime = 2000;

/** The last seal that began a chain with this key says which rows there were before. Null if there is none. */
export async function unmarkedRows(seals: SealStore, key: SealingKey): Promise<number | null> {
  let unmarkedTo: number | null = null;
  for (let after = 0; ; ) {
    const page = await seals.after(after, sealsAtATime);
    for (const seal of page)
      if (seal.unmarkedTo !== null && seal.publicKey === key.publicKey && isSigned(seal)) unmarkedTo = seal.unmarkedTo;
    after = page.at(-1)?.number ?? after;
    if (page.length < sealsAtATime) return unmarkedTo;
  }
}

/** A seal as people keep it outside of the database. */
export interface Head {
  number: number;
  hash: string;
  signature: string;
}

export const formatHead = ({ number, hash, signature }: Head): string => `${number}.${hash}.${signature}`;

/** Null if it is none. */
export function parseHead(text: string): Head | null {
  const [, number, hash, signature] = /^([1-9]\d{0,14})\.([0-9a-f]{64})\.([\w-]{86})$/.exec(text.trim()) ?? [];
  if (number === undefined || hash === undefined || signature === undefined) return null;
  return { number: Number(number), hash, signature };
}

export const isHeadSignedBy = (publicKey: string, { number, hash, signature }: Head): boolean =>
  isSignedBy(publicKey, signedText(number, hash), signature);
