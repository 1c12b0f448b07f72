import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Database } from '../../db/database.ts';
import { PreviewDatabaseError } from '../../db/migrations/run.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { openMasterKey } from '../../server/auth/master-key.ts';
import { createFolder } from '../../server/configuration.ts';
import { openConfiguredDatabase } from '../../server/open-database.ts';
import { openSettings } from '../../server/site.ts';
import { formatProgress } from '../terminal/format.ts';
import { CommandError, type OutputOptions } from '../terminal/output.ts';
import { createStatusLine, type StatusLine } from '../terminal/progress.ts';
import { supportsBlockCharacters } from '../terminal/text.ts';
import type { DemoCredentials, DemoParts } from './create-demo.ts';

export interface DemoStoreOptions extends OutputOptions {
  /** Replaces an existing store. */
  fresh?: true;
  /** How many orders a new store has. */
  orders: number;
  /** Where the webhook of the examples sends to. Without it, the webhook is disabled. */
  receiverUrl?: string;
  print(text: string): void;
}

export interface ServedCredentials extends DemoCredentials {
  base_url: string;
}

/** The demo store on disk: the database, the master key and the credentials. */
export class DemoFolder {
  readonly path: string;
  readonly credentialsFile: string;

  constructor(dataDir: string) {
    this.path = path.join(dataDir, 'demo');
    this.credentialsFile = path.join(this.path, 'credentials.json');
  }

  /** Creates the store unless it exists. It is created under another name, so that it is always complete. */
  async ensureStore(options: DemoStoreOptions): Promise<void> {
    const exists = existsSync(this.credentialsFile);
    // Only demo stores are replaced.
    if (!exists && existsSync(this.path) && readdirSync(this.path).length > 0)
      throw new CommandError(`${this.path} exists, but is not a demo store. Move it away, or set DATA_DIR to another folder.`);
    if (exists && !options.fresh) return this.#moveWebhooks(options.receiverUrl);
    const created = await createTemporaryStore(this.path, options);
    rmSync(this.path, { recursive: true, force: true });
    renameSync(created, this.path);
  }

  /** The port of the receiver may have changed since the last run. */
  async #moveWebhooks(receiverUrl: string | undefined): Promise<void> {
    if (receiverUrl === undefined) return;
    const { moveWebhooks } = await import('./create-demo.ts');
    const { admin } = JSON.parse(readFileSync(this.credentialsFile, 'utf8')) as DemoCredentials;
    await this.#withStorage(async (storage) => {
      const masterKey = await openMasterKey(storage, { masterKey: null, dataDir: this.path }, () => {});
      const secrets = createSecrets('webhook_secret', masterKey, systemRandom);
      const context = { now: Date.now(), random: systemRandom, secrets };
      await storage.write((transaction) => moveWebhooks(transaction, admin.user_id, receiverUrl, context));
    });
  }

  async #withStorage(work: (storage: Database) => Promise<void>): Promise<void> {
    const storage = await openConfiguredDatabase({ url: `sqlite:${path.join(this.path, 'affiliate.sqlite')}` });
    try {
      await storage.migrate().catch((error: unknown) => {
        throw error instanceof PreviewDatabaseError
          ? new CommandError('The demo store was made by a version before 2.0.0. Make it anew: npm run demo -- --fresh')
          : error;
      });
      await work(storage);
    } finally {
      await storage.close();
    }
  }

  /** The addresses of the service and of its shop, which change with the port: referral links lead from one to the other. */
  saveAddresses(serviceUrl: string, shopUrl: string): Promise<void> {
    return this.#withStorage(async (storage) => {
      const settings = openSettings(storage);
      await settings.set('service.url', serviceUrl);
      await settings.set('store.url', shopUrl);
    });
  }

  /** Adds the address to the credentials file: it changes with the port. */
  saveBaseUrl(baseUrl: string): ServedCredentials {
    const { base_url: _before, ...stored } = JSON.parse(readFileSync(this.credentialsFile, 'utf8')) as ServedCredentials;
    const credentials = { base_url: baseUrl, ...stored };
    writeCredentials(this.credentialsFile, credentials);
    return credentials;
  }
}

/** Returns the folder of the new store. If the creation fails or is interrupted, removes it and leaves the old one as it was. */
async function createTemporaryStore(folder: string, options: DemoStoreOptions): Promise<string> {
  createFolder(path.dirname(folder));
  const temporary = mkdtempSync(`${folder}.unfinished-`);
  const remove = (): void => rmSync(temporary, { recursive: true, force: true });
  const abort = (): void => {
    remove();
    process.exit(1);
  };
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    writeCredentials(path.join(temporary, 'credentials.json'), await createStore(temporary, options));
    return temporary;
  } catch (error) {
    remove();
    throw error;
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort);
  }
}

async function createStore(folder: string, { orders, print, receiverUrl, ...options }: DemoStoreOptions): Promise<DemoCredentials> {
  const { createDemo } = await import('./create-demo.ts');
  const storage = await openConfiguredDatabase({ url: `sqlite:${path.join(folder, 'affiliate.sqlite')}` });
  try {
    await storage.migrate();
    const masterKey = await openMasterKey(storage, { masterKey: null, dataDir: folder }, () => {});
    const runStage = createStageRunner(print, createStatusLine(options));
    return await createDemo({ storage, masterKey, now: Date.now(), random: systemRandom, orders, receiverUrl, runStage });
  } finally {
    await storage.close();
  }
}

const createStageRunner =
  (print: DemoStoreOptions['print'], line: StatusLine): NonNullable<DemoParts['runStage']> =>
  async (what, work) => {
    const start = performance.now();
    const sentence = `Creating ${what} … `;
    // On a terminal the status line shows it until the stage is done.
    if (!process.stderr.isTTY) print(sentence);
    const result = await work((part) => line.show(sentence + formatProgress(part, !supportsBlockCharacters())));
    line.clear();
    print(`${process.stderr.isTTY ? sentence : ''}done in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
    return result;
  };

/** Readable by the owner only, and replaced atomically. */
function writeCredentials(file: string, credentials: DemoCredentials): void {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, file);
}
