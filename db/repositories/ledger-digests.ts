import type { EntityManager } from 'typeorm';
import { groupBy } from '../../domain/group-by.ts';
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
  isSameRecord,
  laterKinds,
  missingDigest,
  type RecordChange,
  writeBases,
} from '../../domain/ledger/digest.ts';
import type { SealingKey } from '../../domain/ledger/sealing-key.ts';
import type { Order } from '../../domain/orders/order.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { storedKeys } from '../entities/engine.ts';
import { ledgerDigests } from '../entities/ledger.ts';
import { sealChanges } from '../migrations/20261116001700-seal-changes.ts';
import { insertRows } from '../sql/insert.ts';
import { isPostgres, type Projection, queryReturning } from '../sql/projection.ts';

/** Opens the stored sealing key. @throws when the process does not have its master key. */
export type OpenSealingKey = (sealed: string) => SealingKey;

/** Until it has a beginning, which another process may store. */
const readAgainMs = 60_000;

/** The sealing key of a database, which is read with the first write that needs it. */
export class LedgerSigner {
  #open: OpenSealingKey | undefined;
  #key: SealingKey | undefined;
  #readAt = 0;

  use(open: OpenSealingKey): void {
    this.#open = open;
    this.#key = undefined;
  }

  /** Null in a database that has none yet: its first seal takes what exists as the beginning. */
  async key(manager: EntityManager): Promise<SealingKey | null> {
    if (!this.#open) return null;
    if (this.#key && (this.#key.beginning || performance.now() - this.#readAt < readAgainMs)) return this.#key;
    const read = () => manager.findOneBy(storedKeys, { name: 'sealing_key' });
    const stored = (await read()) ?? (await waitForCreation(manager, read));
    if (!stored) return null;
    this.#key = this.#open(stored.sealed);
    this.#readAt = performance.now();
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

/**
 * The order of two transactions must be that of their digests, where one computes an order from a record that the other changes. The first
 * has read the record; the second reads what the first may write, so that PostgreSQL repeats one of them.
 */
const afterReading = (kind: DigestKind): string =>
  `case when (select max(id) from ledger_digests) is null then '${kind}' else '${kind}' end`;

/** Appends a digest to every change of a record that money depends on. The repositories of these records call it with each write. */
export interface Digests {
  /** Once it has resolved, `append` sends its statement at once. */
  key(): Promise<SealingKey | null>;
  /** Whether `key` has resolved to one: the transaction has read a record that it may change. */
  hasKey(): boolean;
  /** What this transaction has read, before it changes it. `selectFound` does so. */
  remember<Kind extends DigestKind>(kind: Kind, found: readonly FoundRecord<Kind>[]): void;
  /** What a statement has read without digests: the later ones must find the same. */
  see<Kind extends DigestKind>(kind: Kind, records: readonly DigestedRecords[Kind][]): void;
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
  const seen = new Map<string, DigestedRecords[DigestKind]>();
  let beginsAgain = false;
  const insert = async <Kind extends DigestKind>(kind: Kind, changes: readonly RecordChange<Kind>[]): Promise<void> => {
    if (changes.length === 0) return;
    const signing = found === undefined ? await key() : found;
    if (!signing) return;
    const digests = digestChanges(signing, kind, changes);
    const rows = changes.map(({ after }, place) => ({ objectId: idOf[kind](after), ...(digests[place] ?? missingDigest) }));
    for (const [place, { after }] of changes.entries())
      read.set(`${kind} ${idOf[kind](after)}`, { record: after, last: digests[place] ?? null });
    const isBasis = (kind === 'coupon' || kind === 'parent' || kind === 'payee') && changes.some(({ found: earlier }) => earlier !== null);
    await insertRows(manager, ledgerDigests, rows, '', { kind: isBasis && isPostgres(manager) ? afterReading(kind) : `'${kind}'` });
  };
  const foundOf = <Kind extends DigestKind>(kind: Kind, id: number) => read.get(`${kind} ${id}`) as FoundRecord<Kind> | undefined;
  /** What is computed from one statement must be what the next one finds: else one of them was deceived, and nothing fits. */
  const isOtherThanBefore = <Kind extends DigestKind>(kind: Kind, record: DigestedRecords[Kind]): boolean => {
    const earlier = foundOf(kind, idOf[kind](record));
    const before = earlier?.record ?? (seen.get(`${kind} ${idOf[kind](record)}`) as DigestedRecords[Kind] | undefined);
    return earlier?.last === missingDigest || (before !== undefined && !isSameRecord(kind, before, record));
  };
  const isIntactRecord = (kind: DigestKind, id: number): boolean => {
    const record = foundOf(kind, id);
    return !found || !record || beginsAgain || isIntact(found, kind, record);
  };
  return {
    key,
    hasKey: () => Boolean(found),
    remember: (kind, records) => {
      // The tables may say that digests have not begun; the key says whether they have.
      const isBegun = found?.beginning?.kinds.includes(kind) === true;
      for (const { record, last, isNew } of records) {
        const isOther = isOtherThanBefore(kind, record);
        const digest = isOther || (last === null && isBegun && !isNew) ? missingDigest : last;
        // What is absent needs no digest.
        const isNone = !isOther && digest?.digest === missingDigest.digest && isAbsent(kind, record);
        read.set(`${kind} ${idOf[kind](record)}`, { record, last: isNone ? null : digest });
      }
    },
    see: (kind, records) => {
      for (const record of records) {
        const name = `${kind} ${idOf[kind](record)}`;
        if (isOtherThanBefore(kind, record)) read.set(name, { record, last: missingDigest });
        seen.set(name, record);
      }
    },
    found: (kind, id) => foundOf(kind, id)?.record,
    isIntact: isIntactRecord,
    beginAgain: () => {
      beginsAgain = true;
    },
    append: (kind, records) => {
      const change = (after: (typeof records)[number]) => ({ found: foundOf(kind, idOf[kind](after)) ?? null, after });
      if ((kind !== 'order' && kind !== 'payout') || !found) return insert(kind, records.map(change));
      const bases = new Bases(found, [...read.entries()]);
      const unfit = (basis: Basis): boolean => !isIntactRecord(basis.kind, basis.id);
      return insert(
        kind,
        records.map((after) => {
          const all = kind === 'order' ? bases.ofOrder(after as Order) : bases.ofPayout(after as Payout);
          return { ...change(after), bases: all.written, unfitBasis: kind === 'order' ? all.list.find(unfit) : undefined };
        }),
      );
    },
    begin: (kind, records) =>
      insert(
        kind,
        records.map((after) => ({ found: null, after })),
      ),
  };
}

interface Basis extends BasisRecord {
  last: Digest | null;
}

interface OrderBases {
  list: Basis[];
  written: string;
}

/** What orders and payouts were computed from, of the records that the transaction has read. */
class Bases {
  readonly #key: SealingKey;
  readonly #coupons = new Map<number, FoundRecord<'coupon'>>();
  readonly #couponsOf: ReadonlyMap<number | null, FoundRecord<'coupon'>[]>;
  readonly #parents = new Map<number, FoundRecord<'parent'>>();
  readonly #payees = new Map<number, FoundRecord<'payee'>>();
  readonly #shares = new Map<number, FoundRecord<'shares'>>();
  /** Orders of the same coupons have the same. */
  readonly #ofCoupons = new Map<string, OrderBases>();

  constructor(key: SealingKey, read: readonly (readonly [string, FoundRecord<DigestKind>])[]) {
    this.#key = key;
    for (const [name, found] of read) {
      const id = Number(name.slice(name.indexOf(' ') + 1));
      if (name.startsWith('coupon ')) this.#coupons.set(id, found as FoundRecord<'coupon'>);
      if (name.startsWith('parent ')) this.#parents.set(id, found as FoundRecord<'parent'>);
      if (name.startsWith('payee ')) this.#payees.set(id, found as FoundRecord<'payee'>);
      if (name.startsWith('shares ')) this.#shares.set(id, found as FoundRecord<'shares'>);
    }
    this.#couponsOf = groupBy([...this.#coupons.values()], ({ record }) => record.userId);
  }

  /** Its coupons, the parents of their owner, the coupons of these, and those of its shares, whose owner decides which pool a share is in. */
  ofOrder({ orderId, couponId, usedCouponId }: Order): OrderBases {
    const shared = (this.#shares.get(orderId)?.record.shares ?? []).map((share) => share.couponId);
    const name = `${couponId} ${usedCouponId} ${shared.join(' ')}`;
    const bases = this.#ofCoupons.get(name) ?? this.#write(this.#listOfOrder(couponId, usedCouponId, shared));
    this.#ofCoupons.set(name, bases);
    return bases;
  }

  ofPayout({ couponId, userId }: Payout): OrderBases {
    return this.#write([...this.#coupon(couponId), ...basisOf('payee', userId, this.#payees.get(userId))]);
  }

  #listOfOrder(couponId: number, usedCouponId: number | null, shared: readonly number[]): Basis[] {
    const list = [...new Set([couponId, usedCouponId ?? couponId, ...shared])].flatMap((id) => this.#coupon(id));
    const passed = new Set<number>();
    for (let user = this.#coupons.get(couponId)?.record.userId ?? null; user !== null && !passed.has(user); ) {
      if (passed.size > 0) for (const { record } of this.#couponsOf.get(user) ?? []) list.push(...this.#coupon(record.id));
      const parent = this.#parents.get(user);
      list.push(...basisOf('parent', user, parent));
      passed.add(user);
      user = parent?.record.parentId ?? null;
    }
    return list;
  }

  #coupon(id: number): Basis[] {
    return basisOf('coupon', id, this.#coupons.get(id));
  }

  /** What has no digest is named once every record of its kind has one. */
  #write(list: Basis[]): OrderBases {
    const isBegun = ({ kind, last }: Basis): boolean => last !== null || this.#key.beginning?.kinds.includes(kind) === true;
    return { list, written: writeBases(list.filter(isBegun)) };
  }
}

const basisOf = (kind: BasisRecord['kind'], id: number, found: FoundRecord<DigestKind> | undefined): Basis[] =>
  found ? [{ kind, id, last: found.last }] : [];

/** For reads. */
export const noDigests: Digests = {
  key: async () => null,
  hasKey: () => false,
  remember: () => {},
  see: () => {},
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
