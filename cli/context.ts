import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { parseDatabaseUrl } from '../db/database-url.ts';
import { errorCode } from '../db/engine/database-error.ts';
import { describeLockHolder } from '../db/engine/sqlite/lock-holder.ts';
import { migrations } from '../db/migrations/index.ts';
import { dayOf } from '../domain/dates.ts';
import type { SealingKey } from '../domain/ledger/sealing-key.ts';
import { openSealingKey } from '../domain/master-key/key-ownership.ts';
import { findMasterKeys, masterKeyFile } from '../server/auth/master-key.ts';
import { type Configuration, readConfiguration, userName } from '../server/configuration.ts';
import { openConfiguredDatabase } from '../server/open-database.ts';
import { type ExtensionFailure, guardSiteModule, loadSiteModule, type SiteExtension, type SiteModule } from '../site/extension.ts';
import { buildSettings, type Settings } from '../site/settings/settings.ts';
import { createWebhookNotifier } from '../site/webhook-events.ts';
import { CommandError, formatError } from './terminal/output.ts';

/** The open database and the settings as they were when the command started. */
export interface CommandContext {
  database: Database;
  settings: Settings;
  now: number;
  /** The store's time zone. */
  zone: string;
  /** In the store's calendar. */
  today: string;
  /** Loads on demand: a broken module must not prevent a key from being revoked. */
  siteModule(): Promise<SiteModule>;
}

/** Opens an up-to-date database, creates it if there is none, and closes it after `work`. */
export const withContext = <Result>(work: (context: CommandContext) => Promise<Result>, creates = true): Promise<Result> =>
  withRawDatabase(async (database, configuration) => {
    const { databaseUrl, siteModule: file } = configuration;
    await ensureMigrated(database, databaseUrl, creates);
    const { settings } = buildSettings((await database.read((db) => db.settings.all())).values);
    const { timezone: zone } = settings.store;
    const now = Date.now();
    const siteModule = async (): Promise<SiteModule> => (file ? loadSiteModule(file) : {});
    let loaded: Promise<SiteExtension> | undefined;
    const site = (): Promise<SiteExtension> => (loaded ??= openSite(siteModule));
    database.setWebhookNotifier(createWebhookNotifier(site));
    if (file)
      database.onEvents(async (events) => {
        // Not awaited by the command, but the process ends only when they are done.
        const { onEvent } = await site();
        for (const event of events) void onEvent?.(event);
      });
    return work({ database, settings, now, zone, today: dayOf(now, zone), siteModule });
  });

/** @throws CommandError when the master key is not here. */
export const sealingKeyOpener =
  (configuration: Configuration) =>
  (sealed: string): SealingKey => {
    const keys = findMasterKeys(configuration) ?? [];
    try {
      return openSealingKey(sealed, { keys: () => keys });
    } catch {
      throw new CommandError(
        `The ledger of this database is sealed, and its sealing key opens with the master key alone, which is not in ${masterKeyFile(configuration)} and not in MASTER_KEY. Set it, and try again.`,
      );
    }
  };

/** For commands that only read. */
export async function withExistingDatabase<Result>(work: (context: CommandContext) => Promise<Result>): Promise<Result> {
  requireDatabase();
  return withContext(work, false);
}

export class MissingDatabase extends CommandError {
  constructor(place: string) {
    super(`There is no database at ${place}. Set DATA_DIR or DATABASE_URL, or run affiliate migrate to create one.`);
  }
}

/** Opening would create a database, which would look like a healthy, empty one. */
export function requireDatabase(): void {
  const location = parseDatabaseUrl(readConfiguration(process.env).databaseUrl);
  if (location.engine === 'sqlite' && !isFound(location.path)) throw new MissingDatabase(location.path);
}

function isFound(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    throw new CommandError(`${userName()} may not look for ${file}. Run this as the user of the service.`);
  }
}

/** A command succeeds with a broken module too: one that does not load receives no events and raises none. */
async function openSite(siteModule: () => Promise<SiteModule>): Promise<SiteExtension> {
  const loaded = await siteModule().catch((error: unknown) => {
    process.stderr.write(`The site module is ignored: it receives no events and raises none. ${formatError(error)}\n`);
    return {};
  });
  return guardSiteModule(loaded, warnOfSiteFailure);
}

export const warnOfSiteFailure = ({ member, problem }: ExtensionFailure): void =>
  void process.stderr.write(`The site module: ${member} ${problem}\n`);

/** The database in its current state, migrated or not. */
export async function withRawDatabase<Result>(
  work: (database: Database, configuration: Configuration) => Promise<Result>,
): Promise<Result> {
  const configuration = readConfiguration(process.env);
  const database = await openConfiguredDatabase({ url: configuration.databaseUrl });
  try {
    return await work(database, configuration);
  } catch (error) {
    const location = parseDatabaseUrl(configuration.databaseUrl);
    if (location.engine !== 'sqlite' || errorCode(error) !== 'SQLITE_BUSY') throw error;
    const holder = describeLockHolder(location.path);
    throw new CommandError(
      `The database could not be written to for 10 seconds: ${holder} has locked it. Try again when that has finished.`,
    );
  } finally {
    await database.close();
  }
}

/** Creates the tables of a new database. One that has data is not migrated: the operator does that, after a backup. */
async function ensureMigrated(database: Database, url: string, creates: boolean): Promise<void> {
  const pending = await database.pendingMigrations();
  if (pending.length === migrations.length) {
    const location = parseDatabaseUrl(url);
    if (!creates)
      throw new MissingDatabase(location.engine === 'sqlite' ? location.path : 'DATABASE_URL: PostgreSQL has none of its tables');
    await database.migrate();
    // Shows an operator in the wrong folder that this is not the intended database.
    if (process.stderr.isTTY)
      process.stderr.write(`A new database was created: ${location.engine === 'sqlite' ? location.path : 'PostgreSQL'}\n`);
    return;
  }
  const left = await waitForMigrations(database, pending);
  if (left.length > 0)
    throw new CommandError(`The database is not up to date: migrations to run: ${left.length}. Run affiliate migrate, after a backup.`);
}

const polls = { count: 10, everyMs: 100 };

/** Polls while the number of pending migrations decreases: another command may be creating the same database. Returns the pending ones. */
async function waitForMigrations(database: Database, pending: string[], pollsLeft = polls.count): Promise<string[]> {
  if (pending.length === 0 || pollsLeft === 0) return pending;
  await sleep(polls.everyMs);
  const left = await database.pendingMigrations();
  return waitForMigrations(database, left, left.length < pending.length ? polls.count : pollsLeft - 1);
}
