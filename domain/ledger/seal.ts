import { createHash } from 'node:crypto';
import { isSignedBy, type SealingKey } from './sealing-key.ts';

/** A row of the ledger with all of its columns, in their order, as texts. */
export interface SealedRow {
  id: number;
  values: (string | null)[];
}

/** A link of the chain. It covers the rows of the ledger after the seal before it, up to `lastId`. */
export interface Seal {
  /** From 1, without gaps. */
  number: number;
  lastId: number;
  rows: number;
  sealedAt: number;
  publicKey: string;
  /** SHA-256 in hex: over the hash of the seal before, the rows, and the fields above. */
  hash: string;
  signature: string;
}

export interface SealRepository {
  last(): Promise<Seal | null>;
  after(number: number, limit: number): Promise<Seal[]>;
  /** False when another process has inserted a seal with this number. */
  insert(seal: Seal): Promise<boolean>;
  /** By id. */
  rows(after: number, upTo: number, limit: number): Promise<SealedRow[]>;
  /** The number of rows after this id, and when the oldest of them was written; null without any. */
  unsealed(after: number): Promise<{ rows: number; oldestAt: number | null }>;
  /** The last id that was given out, and the transactions that may still insert rows up to it. */
  horizon(): Promise<{ lastId: number; writers: string[] }>;
  /** Those of them that still run. */
  stillWriting(writers: readonly string[]): Promise<string[]>;
}

/** Also before a row that was inserted with an id that the service never uses. */
export const beforeAllRows = Number.MIN_SAFE_INTEGER;

/** Hashes the rows of one seal. */
export class SealHash {
  readonly #hash = createHash('sha256');
  rows = 0;

  constructor(before: Seal | null) {
    this.#add(before?.hash ?? null);
  }

  addRows(rows: readonly SealedRow[]): void {
    for (const { values } of rows) this.#add(values);
    this.rows += rows.length;
  }

  finish({ number, lastId, rows, sealedAt, publicKey }: Omit<Seal, 'hash' | 'signature'>): string {
    this.#add([number, lastId, rows, sealedAt, publicKey]);
    return this.#hash.digest('hex');
  }

  #add(value: unknown): void {
    this.#hash.update(`${JSON.stringify(value)}\n`);
  }
}

/** A seal as it is stored outside of the database. */
export type Head = Pick<Seal, 'number' | 'hash' | 'signature'>;

const signedText = ({ number, hash }: Pick<Seal, 'number' | 'hash'>): string => `affiliate-ledger-seal ${number} ${hash}`;

export const signSeal = (key: SealingKey, seal: Pick<Seal, 'number' | 'hash'>): string => key.sign(signedText(seal));

export const isSealSignedBy = (publicKey: string, seal: Head): boolean => isSignedBy(publicKey, signedText(seal), seal.signature);

export const formatHead = ({ number, hash, signature }: Head): string => `${number}.${hash}.${signature}`;

/** Null if it is none. */
export function parseHead(text: string): Head | null {
  const [, number, hash, signature] = /^([1-9]\d{0,14})\.([0-9a-f]{64})\.([\w-]{86})$/.exec(text.trim()) ?? [];
  if (number === undefined || hash === undefined || signature === undefined) return null;
  return { number: Number(number), hash, signature };
}
