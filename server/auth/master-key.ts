import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createProof, createStoredKeys, findOwner, openVisitorKey } from '../../domain/master-key/key-ownership.ts';
import { type KeyRing, type MasterKey, splitKeys } from '../../domain/master-key/key-ring.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
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
 * `notify` says so, because a backup without it cannot be read. Use `openMasterKey` for a database that may belong to another key.
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

/**
 * The keys of the database, for which it claims the database if no process has done so before. Creates a key where there is none and nothing
 * is encrypted yet. @throws ConfigurationError if the database belongs to another key.
 */
export async function openMasterKey(database: UnitOfWork<Repositories>, configuration: KeyConfiguration, notify: Notify): Promise<KeyRing> {
  const proof = await database.query(({ masterKeys }) => masterKeys.proof());
  const found = findMasterKeys(configuration);
  const problem = describeKeyProblem(proof, found, configuration);
  if (problem !== null) throw new ConfigurationError(problem);
  let isCreated = false;
  const keys = found ?? [
    createMasterKey(configuration, (sentence) => {
      isCreated = true;
      notify(sentence);
    }),
  ];
  const claimed = await claimDatabase(database, keys, proof);
  const conflict = describeKeyProblem(claimed.proof, keys, configuration);
  if (conflict === null)
    return { keys: followKeys(configuration, keys), visitorKey: openVisitorKey(claimed.visitorKey, { keys: () => keys }) };
  // Another machine claimed the database first. The key that was just created here decrypts nothing.
  if (isCreated) rmSync(masterKeyFile(configuration));
  throw new ConfigurationError(conflict);
}

interface Claimed {
  proof: string;
  visitorKey: string;
}

const readClaim = async ({ masterKeys }: Repositories): Promise<Claimed | null> => {
  const [proof, visitorKey, sealingKey] = [
    await masterKeys.proof(),
    await masterKeys.storedKey('visitor_key'),
    await masterKeys.storedKey('sealing_key'),
  ];
  return proof !== null && visitorKey !== null && sealingKey !== null ? { proof, visitorKey } : null;
};

/** Stores the proof of the key, and new keys that hash visitors and sign seals, unless the database has them. */
async function claimDatabase(database: UnitOfWork<Repositories>, keys: readonly string[], proof: string | null): Promise<Claimed> {
  const claimed = await database.read(readClaim);
  if (claimed) return claimed;
  const owner = (proof === null ? keys.at(-1) : findOwner(proof, keys)) ?? '';
  const stored = createStoredKeys(owner);
  await database.write(async ({ masterKeys }) => {
    await masterKeys.leaveProof(createProof(owner));
    await masterKeys.leaveKey('visitor_key', stored.visitor_key);
    await masterKeys.leaveKey('sealing_key', stored.sealing_key);
  });
  return claimDatabase(database, keys, proof);
}

/** Null if one of the keys is right, or nothing is encrypted yet. Otherwise what is wrong, and what to do. */
export function describeKeyProblem(proof: string | null, keys: readonly string[] | null, configuration: KeyConfiguration): string | null {
  if (proof === null || (keys !== null && findOwner(proof, keys) !== undefined)) return null;
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
  { webhooks }: Pick<Repositories, 'webhooks'>,
  masterKey: MasterKey,
): Promise<SigningSecretCheck> {
  const secrets = createSecrets('webhook_secret', masterKey, systemRandom);
  const found = await listAllWebhooks(webhooks);
  const unreadable = found.filter((webhook) => !hasReadableSecret(webhook, secrets));
  return { webhooks: found.map(({ id }) => id), unreadable: unreadable.map(({ id }) => id) };
}
