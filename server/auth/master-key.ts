import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { systemRandom } from '../../domain/random.ts';
import { ConfigurationError } from '../configuration.ts';
import { makeFolder } from '../make-folder.ts';

export const masterKeyFile = (dataDir: string): string => path.join(dataDir, 'master.key');

/**
 * The key that encrypts secrets at rest. Where none is given, one is made and kept beside the data, readable by its owner alone.
 * `notice` tells that it was made: a backup without it cannot be read. For a database that may belong to another one,
 * key-of-database.ts asks first.
 */
export const loadMasterKey = (given: string | null, dataDir: string, notice: (sentence: string) => void): string =>
  knownMasterKey(given, dataDir) ?? makeMasterKey(dataDir, notice);

/** Null where none is given and none was made yet. */
export function knownMasterKey(given: string | null, dataDir: string): string | null {
  if (given !== null) return given;
  const file = masterKeyFile(dataDir);
  return existsSync(file) ? readKey(file) : null;
}

/** `wx`: of two processes that start at once, one makes the key and the other reads it. */
export function makeMasterKey(dataDir: string, notice: (sentence: string) => void): string {
  const file = masterKeyFile(dataDir);
  makeFolder(dataDir);
  try {
    const handle = openSync(file, 'wx', 0o600);
    writeSync(handle, `${systemRandom.bytes(32).toString('hex')}\n`);
    closeSync(handle);
    notice(`A master key was made in ${file}. Keep a copy of it: without it, stored secrets cannot be read.`);
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
