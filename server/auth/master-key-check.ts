import { rmSync } from 'node:fs';
import { createProof, hasNoSecrets, type KeyTraces, matchesKey, readTraces } from '../../domain/master-key/key-ownership.ts';
import type { UnitOfWork } from '../../domain/ports.ts';
import { type Configuration, ConfigurationError } from '../configuration.ts';
import { knownMasterKey, makeMasterKey, masterKeyFile } from './master-key.ts';

type Configured = Pick<Configuration, 'masterKey' | 'dataDir'>;

/** The master key of a database, for those who seal and open secrets in it. */
export interface KeyOfDatabase {
  /** Made where there is none and nothing was sealed yet. @throws ConfigurationError where the database belongs to another one. */
  key(): string;
  /** From then on the database belongs to that key, and nobody who has another one gets as far as `key`. */
  settle(): Promise<void>;
}

export async function keyOfDatabase(
  database: UnitOfWork,
  configured: Configured,
  notice: (sentence: string) => void,
): Promise<KeyOfDatabase> {
  const traces = await database.read(readTraces);
  let made = false;
  const key = (): string => {
    const known = knownMasterKey(configured.masterKey, configured.dataDir);
    const refusal = refusalOf(traces, known, configured);
    if (refusal !== null) throw new ConfigurationError(refusal);
    if (known !== null) return known;
    return makeMasterKey(configured.dataDir, (sentence) => {
      made = true;
      notice(sentence);
    });
  };
  const settle = async (): Promise<void> => {
    if (traces.proof !== null) return;
    const refusal = refusalOf(await claim(database, key()), key(), configured);
    if (refusal === null) return;
    // Another machine was faster. What this one has just made opens nothing.
    if (made) rmSync(masterKeyFile(configured.dataDir));
    throw new ConfigurationError(refusal);
  };
  return { key, settle };
}

/** For whoever seals and opens from the start. */
export async function openKeyOfDatabase(...parts: Parameters<typeof keyOfDatabase>): Promise<string> {
  const { key, settle } = await keyOfDatabase(...parts);
  const opened = key();
  await settle();
  return opened;
}

const claim = (database: UnitOfWork, key: string): Promise<KeyTraces> =>
  database.write(async (transaction) => {
    await transaction.sealing.leaveProof(createProof(key));
    return { proof: await transaction.sealing.proof(), sealed: [] };
  });

/** Null where all is well. Otherwise what is wrong, and what to do. */
export function refusalOf(traces: KeyTraces, key: string | null, { masterKey, dataDir }: Configured): string | null {
  if (key === null ? hasNoSecrets(traces) : matchesKey(traces, key)) return null;
  const file = masterKeyFile(dataDir);
  const wrong =
    key === null
      ? `The master key is missing: this database has secrets that only it can open, there is no ${file}, and MASTER_KEY is not set.`
      : `This database belongs to another master key than ${masterKey === null ? `the one in ${file}` : 'MASTER_KEY'}: its secrets cannot be opened.`;
  const place =
    key !== null && masterKey !== null ? 'Set MASTER_KEY to the right one' : `Put the right one into ${file}, or set MASTER_KEY`;
  return `${wrong} ${place}; if it is lost for good, affiliate secrets renew --key-is-lost goes on without it.`;
}
