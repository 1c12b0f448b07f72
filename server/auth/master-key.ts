import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { createProof, hasNoSecrets, type KeyTraces, matchesKey, readTraces } from '../../domain/master-key/key-ownership.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import type { Stores, UnitOfWork } from '../../domain/ports.ts';
import { systemRandom } from '../../domain/random.ts';
import { listAllWebhooks } from '../../domain/webhooks/manage.ts';
import { hasReadableSecret } from '../../domain/webhooks/webhook.ts';
import { type Configuration, ConfigurationError, createFolder } from '../configuration.ts';

type KeyConfiguration = Pick<Configuration, 'masterKey' | 'dataDir'>;
type Notify = (sentence: string) => void;

export const masterKeyFile = (dataDir: string): string => path.join(dataDir, 'master.key');

/**
 * The key that encrypts secrets at rest. Without MASTER_KEY, a key is created and stored beside the data, readable by its owner alone;
 * `notify` says so, because a backup without it cannot be read. Use `checkMasterKey` for a database that may belong to another key.
 */
export const loadMasterKey = (configured: string | null, dataDir: string, notify: Notify): string =>
  findMasterKey(configured, dataDir) ?? createMasterKey(dataDir, notify);

/** Null where none is configured and none was created yet. */
export function findMasterKey(configured: string | null, dataDir: string): string | null {
  if (configured !== null) return configured;
  const file = masterKeyFile(dataDir);
  return existsSync(file) ? readKey(file) : null;
}

/** `wx`: of two processes that start at the same time, one creates the key and the other reads it. */
function createMasterKey(dataDir: string, notify: Notify): string {
  const file = masterKeyFile(dataDir);
  createFolder(dataDir);
  try {
    const handle = openSync(file, 'wx', 0o600);
    writeSync(handle, `${systemRandom.bytes(32).toString('hex')}\n`);
    closeSync(handle);
    notify(`A master key was made in ${file}. Keep a copy of it: without it, stored secrets cannot be read.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readKey(file);
}

function readKey(file: string): string {
  if ((statSync(file).mode & 0o077) !== 0) throw new ConfigurationError(`${file} can be read by others. Run: chmod 600 ${file}`);
  const key = readFileSync(file, 'utf8').trim();
  if (key.length < 32) throw new ConfigurationError(`${file} holds no master key. Restore it from a backup, or set MASTER_KEY.`);
  return key;
}

/** The master key of one database. */
export interface DatabaseKey {
  /** Creates a key where there is none and nothing is encrypted yet. @throws ConfigurationError if the database belongs to another key. */
  key(): string;
  /** Binds the database to the key, so that `key` throws for every other one. */
  claim(): Promise<void>;
}

export async function checkMasterKey(database: UnitOfWork, configuration: KeyConfiguration, notify: Notify): Promise<DatabaseKey> {
  const traces = await database.read(readTraces);
  let isCreated = false;
  const key = (): string => {
    const found = findMasterKey(configuration.masterKey, configuration.dataDir);
    const problem = describeKeyProblem(traces, found, configuration);
    if (problem !== null) throw new ConfigurationError(problem);
    if (found !== null) return found;
    return createMasterKey(configuration.dataDir, (sentence) => {
      isCreated = true;
      notify(sentence);
    });
  };
  const claim = async (): Promise<void> => {
    if (traces.proof !== null) return;
    const problem = describeKeyProblem(await writeProof(database, key()), key(), configuration);
    if (problem === null) return;
    // Another machine claimed the database first. The key that was just created here decrypts nothing.
    if (isCreated) rmSync(masterKeyFile(configuration.dataDir));
    throw new ConfigurationError(problem);
  };
  return { key, claim };
}

/** Returns the key and claims the database for it. */
export async function openMasterKey(...args: Parameters<typeof checkMasterKey>): Promise<string> {
  const { key, claim } = await checkMasterKey(...args);
  const opened = key();
  await claim();
  return opened;
}

const writeProof = (database: UnitOfWork, key: string): Promise<KeyTraces> =>
  database.write(async (transaction) => {
    await transaction.sealing.leaveProof(createProof(key));
    return { proof: await transaction.sealing.proof(), sealed: [] };
  });

/** Null if the key is right. Otherwise what is wrong, and what to do. */
export function describeKeyProblem(traces: KeyTraces, key: string | null, { masterKey, dataDir }: KeyConfiguration): string | null {
  if (key === null ? hasNoSecrets(traces) : matchesKey(traces, key)) return null;
  const file = masterKeyFile(dataDir);
  const wrong =
    key === null
      ? `The master key is missing: this database has secrets that only it can open, there is no ${file}, and MASTER_KEY is not set.`
      : `This database belongs to another master key than ${masterKey === null ? `the one in ${file}` : 'MASTER_KEY'}: its secrets cannot be opened.`;
  const remedy =
    key !== null && masterKey !== null ? 'Set MASTER_KEY to the right one' : `Put the right one into ${file}, or set MASTER_KEY`;
  return `${wrong} ${remedy}; if it is lost for good, affiliate secrets renew --key-is-lost goes on without it.`;
}

interface SigningSecretCheck {
  /** Ids of all webhooks that were asked for. */
  webhooks: number[];
  /** Ids of those whose secret was made with another master key. */
  unreadable: number[];
}

export async function findUnreadableSecrets(
  { webhooks }: Pick<Stores, 'webhooks'>,
  masterKey: string,
  which: 'all' | 'active',
): Promise<SigningSecretCheck> {
  const secrets = createSecrets('webhook_secret', masterKey, systemRandom);
  const found = (await listAllWebhooks(webhooks)).filter(({ status }) => which === 'all' || status === 'active');
  const unreadable = found.filter((webhook) => !hasReadableSecret(webhook, secrets));
  return { webhooks: found.map(({ id }) => id), unreadable: unreadable.map(({ id }) => id) };
}

/** With another master key everything would run, and webhooks get nothing. */
export function logUnreadableSecrets({ unreadable }: SigningSecretCheck, log: Pick<Logger, 'error'>): void {
  if (unreadable.length > 0)
    log.error({ webhooks: unreadable }, 'webhooks get nothing from this process: their signing secrets were made with another MASTER_KEY');
}
