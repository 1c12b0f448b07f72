import type { EntityManager } from 'typeorm';
import {
  type BasisRecord,
  beginningId,
  type Digest,
  type DigestedRecords,
  type DigestKind,
  digestChanges,
  type FoundRecord,
  idOf,
  isAbsent,
  isIntact,
  laterKinds,
  missingDigest,
  type RecordChange,
} from '../../domain/ledger/digest.ts';
import type { SealingKey } from '../../domain/ledger/sealing-key.ts';
import type { Order } from '../../domain/orders/order.ts';
import { storedKeys } from '../entities/engine.ts';
import { ledgerDigests } from '../entities/ledger.ts';
import { sealChanges } from '../migrations/20261116001700-seal-changes.ts';
import { insertRows } from '../sql/insert.ts';
import { isPostgres, type Projection, queryReturning } from '../sql/projection.ts';

/** Opens the stored sealing key. @throws when the process does not have its master key. */
export type OpenSealingKey = (sealed: string) => SealingKey;

/** The sealing key of a database, which is read with the first write that needs it. */
export class LedgerSigner {
  #open: OpenSealingKey | undefined;
  #key: SealingKey | undefined;

  use(open: OpenSealingKey): void {
    this.#open = open;
    this.#key = undefined;
  }

  /** Null in a database that has none yet: its first seal takes what exists as the beginning. */
  async key(manager: EntityManager): Promise<SealingKey | null> {
    if (this.#key || !this.#open) return this.#key ?? null;
    const read = () => manager.findOneBy(storedKeys, { name: 'sealing_key' });
    const stored = (await read()) ?? (await waitForCreation(manager, read));
    if (!stored) return null;
    this.#key = this.#open(stored.sealed);
    return this.#key;
  }
}

/** A row that every database with digests has, and that no other transaction writes. */
const lockedRow = `name = '${sealChanges.name}'`;

/**
 * On PostgreSQL a transaction that writes without a key holds a share of this lock, so that the key is created only when it has ended: no
 * change without a digest is committed after the first seal. A serializable one that began before the key was created fails here and is
 * repeated with it.
 */
async function waitForCreation<Stored>(manager: EntityManager, readAgain: () => Promise<Stored>): Promise<Stored | null> {
  if (!isPostgres(manager)) return null;
  await manager.query(`select name from migrations where ${lockedRow} for share`);
  return readAgain();
}

/** To be called by the transaction that creates the key. SQLite has one writer. */
export async function waitForWritersWithoutKey(manager: EntityManager): Promise<void> {
  if (isPostgres(manager)) await manager.query(`update migrations set run_at = run_at where ${lockedRow}`);
}

/** Appends a digest to every change of a record that money depends on. The repositories of these records call it with each write. */
export interface Digests {
  /** Once it has resolved, `append` sends its statement at once. */
  key(): Promise<SealingKey | null>;
  /** Whether `key` has resolved to one: the transaction has read a record that it may change. */
  hasKey(): boolean;
  /** What this transaction has read, before it changes it. `selectFound` does so. */
  remember<Kind extends DigestKind>(kind: Kind, found: readonly FoundRecord<Kind>[]): void;
  /** The record as this transaction has read or left it. */
  found<Kind extends DigestKind>(kind: Kind, id: number): DigestedRecords[Kind] | undefined;
  /** Whether the record was read as the service had left it. True without a key, and for what was not read. */
  isIntact(kind: DigestKind, id: number): boolean;
  /** After a lost key no record fits: until the end of the transaction all are taken as they are. */
  beginAgain(): void;
  /** The records as this transaction leaves them. Those that it did not read are new. */
  append<Kind extends DigestKind>(kind: Kind, records: readonly DigestedRecords[Kind][]): Promise<void>;
  /** Without regard to earlier digests: at the beginning of a chain. */
  begin<Kind extends DigestKind>(kind: Kind, records: readonly DigestedRecords[Kind][]): Promise<void>;
}

export function digestsIn(manager: EntityManager, signer: LedgerSigner): Digests {
  let reading: Promise<SealingKey | null> | undefined;
  let found: SealingKey | null | undefined;
  const key = async (): Promise<SealingKey | null> => {
    if (found !== undefined) return found;
    reading ??= signer.key(manager);
    found = await reading;
    return found;
  };
  const read = new Map<string, FoundRecord<DigestKind>>();
  let beginsAgain = false;
  const insert = async <Kind extends DigestKind>(kind: Kind, changes: readonly RecordChange<Kind>[]): Promise<void> => {
    if (changes.length === 0) return;
    const signing = found === undefined ? await key() : found;
    if (!signing) return;
    const digests = digestChanges(signing, kind, changes);
    const rows = changes.map(({ after }, place) => ({ objectId: idOf[kind](after), ...(digests[place] ?? missingDigest) }));
    for (const [place, { after }] of changes.entries())
      read.set(`${kind} ${idOf[kind](after)}`, { record: after, last: digests[place] ?? null });
    await insertRows(manager, ledgerDigests, rows, '', { kind: `'${kind}'` });
  };
  const foundOf = <Kind extends DigestKind>(kind: Kind, id: number) => read.get(`${kind} ${id}`) as FoundRecord<Kind> | undefined;
  const isIntactRecord = (kind: DigestKind, id: number): boolean => {
    const record = foundOf(kind, id);
    return !found || !record || beginsAgain || isIntact(found, kind, record);
  };
  return {
    key,
    hasKey: () => Boolean(found),
    remember: (kind, records) => {
      for (const { record, last } of records) {
        // What is absent needs no digest.
        const isNew = last?.digest === missingDigest.digest && isAbsent(kind, record);
        read.set(`${kind} ${idOf[kind](record)}`, { record, last: isNew ? null : last });
      }
    },
    found: (kind, id) => foundOf(kind, id)?.record,
    isIntact: isIntactRecord,
    beginAgain: () => {
      beginsAgain = true;
    },
    append: (kind, records) => {
      const change = (after: (typeof records)[number]) => ({ found: foundOf(kind, idOf[kind](after)) ?? null, after });
      if (kind !== 'order' || !found) return insert(kind, records.map(change));
      const unfit = unfitBasis([...read], isIntactRecord);
      return insert(
        kind,
        records.map((after) => ({ ...change(after), unfitBasis: unfit(after as Order) })),
      );
    },
    begin: (kind, records) =>
      insert(
        kind,
        records.map((after) => ({ found: null, after })),
      ),
  };
}

/** Finds what an order was computed from and does not fit: its coupons, the parents of their owner, and the coupons of these. */
function unfitBasis(
  read: readonly (readonly [string, FoundRecord<DigestKind>])[],
  isIntactRecord: Digests['isIntact'],
): (order: Order) => BasisRecord | undefined {
  const ofKind = <Kind extends DigestKind>(kind: Kind) =>
    read.flatMap(([name, { record }]) => (name.startsWith(`${kind} `) ? [record as DigestedRecords[Kind]] : []));
  const coupons = ofKind('coupon');
  const parents = ofKind('parent');
  // Most transactions have read nothing that does not fit.
  const unfitCoupons = new Set(coupons.filter(({ id }) => !isIntactRecord('coupon', id)));
  const unfitParents = new Set(parents.filter(({ userId }) => !isIntactRecord('parent', userId)));
  if (unfitCoupons.size === 0 && unfitParents.size === 0) return () => undefined;
  const parentOf = new Map(parents.map((parent) => [parent.userId, parent]));
  return ({ couponId, usedCouponId }) => {
    const own = [...unfitCoupons].find(({ id }) => id === couponId || id === usedCouponId);
    if (own) return { kind: 'coupon', id: own.id };
    const passed = new Set<number>();
    for (let user = coupons.find(({ id }) => id === couponId)?.userId ?? null; user !== null && !passed.has(user); ) {
      const parent = parentOf.get(user);
      const ofTier = passed.size > 0 && [...unfitCoupons].find(({ userId }) => userId === user);
      if (ofTier) return { kind: 'coupon', id: ofTier.id };
      if (parent && unfitParents.has(parent)) return { kind: 'parent', id: user };
      passed.add(user);
      user = parent?.parentId ?? null;
    }
    return undefined;
  };
}

/** For reads. */
export const noDigests: Digests = {
  key: async () => null,
  hasKey: () => false,
  remember: () => {},
  found: () => undefined,
  isIntact: () => true,
  beginAgain: () => {},
  append: async () => {},
  begin: async () => {},
};

/**
 * The last digest of a record with this id, as one text. It is part of the statement that reads the record, so that both are of the same
 * moment. A record without any is `missingDigest` once all have one.
 */
export const lastDigestOf = (kind: DigestKind, id: string): string => `coalesce(
  (select digest || ' ' || coalesce(before_mark, '-') from ledger_digests where kind = '${kind}' and object_id = ${id} order by id desc limit 1),
  (select ' ' from ${laterKinds.includes(kind) ? `ledger_digests where kind = '${kind}' and object_id = ${beginningId}` : 'ledger_seals'} limit 1))`;

export function parseLastDigest(text: unknown): Digest | null {
  if (typeof text !== 'string') return null;
  const [digest = '', before = ''] = text.split(' ');
  return { digest, before: before === '-' ? null : before };
}

interface FoundSelect<Row> {
  projection: Projection<Row>;
  /** The column of the record's id. */
  id: string;
  /** The statement, with further columns for its list. */
  sql(more: string): string;
  values: unknown[];
}

/** Reads records that the transaction may change, and remembers them with their last digests. */
export async function selectFound<Kind extends DigestKind, Row extends DigestedRecords[Kind]>(
  manager: EntityManager,
  digests: Digests,
  kind: Kind,
  { projection, id, sql, values }: FoundSelect<Row>,
): Promise<Row[]> {
  const isMarked = (await digests.key()) !== null;
  const rows = await queryReturning(manager, sql(isMarked ? `, ${lastDigestOf(kind, id)} as last_digest` : ''), values);
  const records = rows.map(projection.toObject);
  if (isMarked)
    digests.remember(
      kind,
      records.map((record, place) => ({ record, last: parseLastDigest(rows[place]?.['last_digest']) })),
    );
  return records;
}
