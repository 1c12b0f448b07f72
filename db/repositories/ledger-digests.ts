import type { EntityManager } from 'typeorm';
import { type DigestedRecords, type DigestKind, digestsOf, idOf } from '../../domain/ledger/digest.ts';
import type { SealingKey } from '../../domain/ledger/sealing-key.ts';
import { storedKeys } from '../entities/engine.ts';
import { ledgerDigests } from '../entities/ledger.ts';
import { insertRows } from '../sql/insert.ts';

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
    const stored = await manager.findOneBy(storedKeys, { name: 'sealing_key' });
    if (!stored) return null;
    this.#key = this.#open(stored.sealed);
    return this.#key;
  }
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
