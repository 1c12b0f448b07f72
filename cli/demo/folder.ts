import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemRandom } from '../../domain/random.ts';
import { loadMasterKey } from '../../server/auth/master-key.ts';
import { makeFolder } from '../../server/make-folder.ts';
import { openDatabaseAt } from '../context.ts';
import { CommandError } from '../terminal/errors.ts';
import { formatProgress } from '../terminal/format.ts';
import { createStatusLine, type StatusLine } from '../terminal/progress.ts';
import { supportsBlockCharacters } from '../terminal/text.ts';
import type { Credentials, KnownCredentials } from './credentials.ts';

export interface Making {
  fresh: boolean;
  /** How many, where it is made now. */
  orders: number;
  /** Scripts are told nothing meanwhile. */
  json?: true;
  /** Tells people how far it is. */
  tell(text: string): void;
}

/** The demo store on the disk: its database, its master key, and who may call it. */
export interface DemoFolder {
  path: string;
  credentialsFile: string;
  /** There is one afterwards, whole: it is made under another name. */
  ensureStore(making: Making): Promise<void>;
  /** Written down with the credentials, which it changes with each port. */
  keepBaseUrl(baseUrl: string): KnownCredentials;
}

export function openDemoFolder(dataDir: string): DemoFolder {
  const folder = path.join(dataDir, 'demo');
  const credentialsFile = path.join(folder, 'credentials.json');
  return {
    path: folder,
    credentialsFile,
    async ensureStore(making) {
      refuseOthers(folder, credentialsFile);
      if (existsSync(credentialsFile) && !making.fresh) return;
      const made = await makeBeside(folder, making);
      rmSync(folder, { recursive: true, force: true });
      renameSync(made, folder);
    },
    keepBaseUrl(baseUrl) {
      const { base_url: _before, ...known } = JSON.parse(readFileSync(credentialsFile, 'utf8')) as KnownCredentials;
      const credentials = { base_url: baseUrl, ...known };
      writeCredentials(credentialsFile, credentials);
      return credentials;
    },
  };
}

/** Nothing is removed that was not made here. */
function refuseOthers(folder: string, credentialsFile: string): void {
  if (!existsSync(folder) || existsSync(credentialsFile) || readdirSync(folder).length === 0) return;
  throw new CommandError(`${folder} exists, but is not a demo store. Move it away, or set DATA_DIR to another folder.`);
}

/** The folder of the new store. Whoever breaks off leaves the old one as it was. */
async function makeBeside(folder: string, making: Making): Promise<string> {
  makeFolder(path.dirname(folder));
  const unfinished = mkdtempSync(`${folder}.unfinished-`);
  const remove = (): void => rmSync(unfinished, { recursive: true, force: true });
  const breakOff = (): void => {
    remove();
    process.exit(1);
  };
  process.once('SIGINT', breakOff).once('SIGTERM', breakOff);
  try {
    writeCredentials(path.join(unfinished, 'credentials.json'), await makeStore(unfinished, making));
    return unfinished;
  } catch (error) {
    remove();
    throw error;
  } finally {
    process.off('SIGINT', breakOff).off('SIGTERM', breakOff);
  }
}

async function makeStore(folder: string, { orders, tell, json }: Making): Promise<Credentials> {
  const [{ makeDemo }, { sizeOf }] = await Promise.all([import('./make.ts'), import('./plan.ts')]);
  const storage = await openDatabaseAt(`sqlite:${path.join(folder, 'affiliate.sqlite')}`);
  try {
    await storage.migrate();
    const masterKey = loadMasterKey(null, folder, () => {});
    const stage = stageTelling(tell, createStatusLine(json ? { json } : {}));
    return await makeDemo({ storage, masterKey, now: Date.now(), random: systemRandom, size: sizeOf(orders), stage });
  } finally {
    await storage.close();
  }
}

const stageTelling =
  (tell: Making['tell'], line: StatusLine) =>
  async <Result>(what: string, work: (progress: (part: number) => void) => Promise<Result>): Promise<Result> => {
    const began = performance.now();
    const sentence = `Making ${what} … `;
    // On a terminal the bar comes in its place, until it is done.
    if (!process.stderr.isTTY) tell(sentence);
    const result = await work((part) => line.show(sentence + formatProgress(part, !supportsBlockCharacters())));
    line.clear();
    tell(`${process.stderr.isTTY ? sentence : ''}done in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
    return result;
  };

/** For the owner alone, and never half of it. */
function writeCredentials(file: string, credentials: Credentials): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}
