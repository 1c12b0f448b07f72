import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { digestKinds } from '../../domain/ledger/digest.ts';
import { type Beginning, seedLength } from '../../domain/ledger/sealing-key.ts';
import {
  createProof,
  findOwner,
  hasNoSecrets,
  isSealingKeyDeleted,
  type KeyTraces,
  openVisitorKey,
  provesSealingKey,
  readTraces,
  sealSealingKey,
  sealVisitorKey,
} from '../../domain/master-key/key-ownership.ts';
import { type KeyRing, type MasterKey, splitKeys } from '../../domain/master-key/key-ring.ts';
import { bindSecrets } from '../../domain/master-key/rotate.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import type { Stores, UnitOfWork } from '../../domain/ports.ts';
import { systemRandom } from '../../domain/random.ts';
import { listAllWebhooks } from '../../domain/webhooks/manage.ts';
import { hasReadableSecret } from '../../domain/webhooks/webhook.ts';
import { type Configuration, ConfigurationError, createFolder } from '../configuration.ts';

/** `masterKey`: the key itself; `masterKeyFile`: a file of keys other than the one in the data folder. */
type KeyConfiguration = Pick<Configuration, 'masterKey' | 'dataDir'> & Partial<Pick<Configuration, 'masterKeyFile'>>;
type Notify = (sentence: string) => void;

/** Where the keys are, unless MASTER_KEY has the key itself. */
export const masterKeyFile = ({ masterKeyFile: file, dataDir }: Omit<KeyConfiguration, 'masterKey'>): string =>
  file ?? path.join(dataDir, 'master.key');

/**
 * The key that encrypts secrets at rest. Without MASTER_KEY, a key is created and stored beside the data, readable by its owner alone;
 * `notify` says so, because a backup without it cannot be read. Use `checkMasterKey` for a database that may belong to another key.
 */
export const loadMasterKey = (configuration: KeyConfiguration, notify: Notify): string =>
  findMasterKeys(configuration)?.at(-1) ?? createMasterKey(configuration, notify);

/** Oldest first. Null where none is configured and none was created yet. */
export function findMasterKeys(configuration: KeyConfiguration): readonly string[] | null {
  if (configuration.masterKey !== null) return [configuration.masterKey];
  const file = masterKeyFile(configuration);
  if (!existsSync(file)) return null;
  // A file that MASTER_KEY_FILE names may be a secret of a container, whose mode is not ours.
  return readKeys(file, !configuration.masterKeyFile);
}

/** `wx`: of two processes that start at the same time, one creates the key and the other reads it. */
function createMasterKey(configuration: KeyConfiguration, notify: Notify): string {
  const file = masterKeyFile(configuration);
  createFolder(path.dirname(file));
  try {
    const handle = openSync(file, 'wx', 0o600);
    writeSync(handle, `${systemRandom.bytes(32).toString('hex')}\n`);
    closeSync(handle);
    notify(`A master key was made in ${file}. Keep a copy of it: without it, stored secrets cannot be read.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readKeys(file).at(-1) ?? '';
}

function readKeys(file: string, isPrivate = true): readonly string[] {
  if (isPrivate && (statSync(file).mode & 0o077) !== 0)
    throw new ConfigurationError(`${file} can be read by others. Run: chmod 600 ${file}`);
  const keys = splitKeys(readFileSync(file, 'utf8'));
  if (keys.length === 0 || keys.some((key) => key.length < 32))
    throw new ConfigurationError(`${file} holds no master key. Restore it from a backup, or set MASTER_KEY.`);
  return keys;
}

/** The keys in the file at this moment: `affiliate secrets rotate` adds one while the service runs. */
function followKeys(configuration: KeyConfiguration, opened: readonly string[]): () => readonly string[] {
  if (configuration.masterKey !== null) return () => opened;
  const file = masterKeyFile(configuration);
  const versionOf = (): string => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : '';
  };
  let keys = opened;
  let version = versionOf();
  return () => {
    const current = versionOf();
    if (current === version) return keys;
    try {
      keys = readKeys(file, !configuration.masterKeyFile);
      version = current;
    } catch {
      // The file is gone, or is being written: the keys that are in use stay so.
    }
    return keys;
  };
}

/** The master key of one database. */
export interface DatabaseKey {
  /** Creates a key where there is none and nothing is encrypted yet. @throws ConfigurationError if the database belongs to another key. */
  key(): KeyRing;
  /** Binds the database to the key, so that `key` throws for every other one. */
  claim(): Promise<void>;
}

export async function checkMasterKey(database: UnitOfWork, configuration: KeyConfiguration, notify: Notify): Promise<DatabaseKey> {
  const traces = await database.read(readTraces);
  let isCreated = false;
  const find = (): readonly string[] => {
    const found = findMasterKeys(configuration);
    const problem = describeKeyProblem(traces, found, configuration);
    if (problem !== null) throw new ConfigurationError(problem);
    if (found !== null) return found;
    const created = createMasterKey(configuration, (sentence) => {
      isCreated = true;
      notify(sentence);
    });
    return [created];
  };
  const key = (): KeyRing => {
    const keys = find();
    return { keys: followKeys(configuration, keys), visitorKey: openVisitorKey(traces, keys) };
  };
  const claim = async (): Promise<void> => {
    const keys = find();
    if (traces.proof !== null && traces.visitorKey !== null && traces.sealingKey !== null && provesSealingKey(traces.proof, keys)) return;
    const problem = describeKeyProblem(await storeProof(database, traces, keys), keys, configuration);
    if (problem === null) return;
    // Another machine claimed the database first. The key that was just created here decrypts nothing.
    if (isCreated) rmSync(masterKeyFile(configuration));
    throw new ConfigurationError(problem);
  };
  return { key, claim };
}

/** Returns the key and claims the database for it. */
export async function openMasterKey(...args: Parameters<typeof checkMasterKey>): Promise<KeyRing> {
  const { key, claim } = await checkMasterKey(...args);
  const opened = key();
  await claim();
  return opened;
}

/** Unless the database has a proof, a key for visitors and one that seals the ledger already. */
async function storeProof(database: UnitOfWork, traces: KeyTraces, keys: readonly string[]): Promise<KeyTraces> {
  // A transaction that reads what another process writes all the time would fail for ever. Where there are records, they stay.
  const isEmpty = (await database.read(beginningOf)) !== null;
  return database.write(async (transaction) => {
    const { sealing } = transaction;
    const newest = keys.at(-1) ?? '';
    await sealing.leaveProof(createProof(findOwner(traces, keys) ?? newest, true));
    const proof = await sealing.proof();
    const left: KeyTraces = { proof, visitorKey: null, sealingKey: await sealing.storedKey('sealing_key'), sealed: [] };
    const owner = findOwner(left, keys);
    if (owner === undefined) return left;
    // Of an earlier version.
    if (proof !== null && !provesSealingKey(proof, keys)) await sealing.replaceProof(createProof(owner, true));
    if (left.sealingKey !== null && traces.visitorKey !== null) return left;
    await sealing.leaveKey('visitor_key', sealVisitorKey(openVisitorKey(traces, keys), owner));
    // Before the key is there: this transaction may be repeated, and no digest may be of a key that was rolled back.
    await bindSecrets(transaction, keys.slice(0, keys.indexOf(owner) + 1));
    const beginning = isEmpty ? await beginningOf(transaction) : null;
    const sealingKey = sealSealingKey(systemRandom.bytes(seedLength), owner, beginning);
    await sealing.leaveKey('sealing_key', sealingKey);
    return { ...left, sealingKey };
  });
}

/** In a database without records everything is marked and digested from now on. In others the first seal begins. */
export async function beginningOf({ seals }: Stores): Promise<Beginning | null> {
  const { ledgerId, digestId } = await seals.lastIds();
  if (ledgerId > 0 || digestId > 0) return null;
  for (const kind of digestKinds) if ((await seals.records(kind, Number.MIN_SAFE_INTEGER, 1)).length > 0) return null;
  return { unmarkedTo: 0, kinds: digestKinds };
}

const sealingKeyIsDeleted =
  'The sealing key of the ledger was deleted: this database had one, and a new one would take everything as it is now. Restore a backup; if there is none, affiliate secrets renew --key-is-lost begins anew.';

/** Null if one of the keys is right. Otherwise what is wrong, and what to do. */
export function describeKeyProblem(traces: KeyTraces, keys: readonly string[] | null, configuration: KeyConfiguration): string | null {
  if (keys === null ? hasNoSecrets(traces) : findOwner(traces, keys) !== undefined)
    return keys !== null && isSealingKeyDeleted(traces, keys) ? sealingKeyIsDeleted : null;
  const file = masterKeyFile(configuration);
  const isVariable = configuration.masterKey !== null;
  const wrong =
    keys === null
      ? `The master key is missing: this database has secrets that only it can open, there is no ${file}, and MASTER_KEY is not set.`
      : `This database belongs to another master key than ${isVariable ? 'MASTER_KEY' : `the one in ${file}`}: its secrets cannot be opened.`;
  const remedy = keys !== null && isVariable ? 'Set MASTER_KEY to the right one' : `Put the right one into ${file}, or set MASTER_KEY`;
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
  masterKey: MasterKey,
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
