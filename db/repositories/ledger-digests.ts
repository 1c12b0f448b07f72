import type { EntityManager } from 'typeorm';
import { type DigestedRecords, type DigestKind, digestsOf, idOf } from '../../domain/ledger/digest.ts';
import type { SealingKey } from '../../domain/ledger/sealing-key.ts';
import { storedKeys } from '../entities/engine.ts';
import { ledgerDigests } from '../entities/ledger.ts';
import { sealChanges } from '../migrations/20261116001700-seal-changes.ts';
import { insertRows } from '../sql/insert.ts';
import { isPostgres } from '../sql/projection.ts';

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
  append<Kind extends DigestKind>(kind: Kind, records: readonly DigestedRecords[Kind][]): Promise<void>;
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
  return {
    key,
    async append(kind, records) {
      if (records.length === 0) return;
      const signing = found === undefined ? await key() : found;
      if (signing) await insertDigests(manager, signing, kind, records);
    },
  };
}

/** For reads. */
export const noDigests: Digests = { key: async () => null, append: async () => {} };

async function insertDigests<Kind extends DigestKind>(
  manager: EntityManager,
  key: SealingKey,
  kind: Kind,
  records: readonly DigestedRecords[Kind][],
): Promise<void> {
  const digests = digestsOf(key, kind, records);
  const rows = records.map((record, place) => ({ objectId: idOf[kind](record), digest: digests[place] ?? '' }));
  await insertRows(manager, ledgerDigests, rows, '', { kind: `'${kind}'` });
}
