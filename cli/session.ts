import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { locate } from '../db/database-url.ts';
import { migrations } from '../db/migrations/index.ts';
import { dayOf } from '../domain/dates.ts';
import { type Configuration, readConfiguration } from '../server/configuration.ts';
import { makeFolder } from '../server/make-folder.ts';
import { type GuardedSite, guarded, loadSiteModule, type ProgramEvent, type SiteModule } from '../site/extension.ts';
import { buildSettings, type Settings } from '../site/settings/settings.ts';
import { webhookNews } from '../site/webhook-events.ts';
import { Refusal, sentenceOf } from './terminal/refusal.ts';

/** What one command works with. It sees the settings as they were when it began. */
export interface Session {
  database: Database;
  settings: Settings;
  now: number;
  /** The store's time zone. */
  zone: string;
  /** In the store's calendar. */
  today: string;
  /** Loaded by those who ask for it: a broken one must not keep anybody from revoking a key. */
  siteModule(): Promise<SiteModule>;
}

/** Opens what every command but `serve` and `migrate` needs, and closes it whatever happens. */
export const withSession = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
  withDatabase(async (database, { databaseUrl, siteModule: file }) => {
    await ensureCurrent(database, databaseUrl);
    const { settings } = buildSettings((await database.read((stores) => stores.settings.all())).values);
    const { timezone: zone } = settings.store;
    const now = Date.now();
    const siteModule = async (): Promise<SiteModule> => (file ? loadSiteModule(file) : {});
    const site = lastingly(() => openSite(siteModule));
    database.tellWebhooksBy(webhookNews(site));
    if (file) database.onEvents((events) => void site().then((opened) => tell(opened, events)));
    return work({ database, settings, now, zone, today: dayOf(now, zone), siteModule });
  });

/** For those who only look: a new database would be made where there is none, and would look as if all were well. */
export function withStore<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
  const location = locate(readConfiguration(process.env).databaseUrl);
  if (location.engine === 'sqlite' && !existsSync(location.path))
    throw new Refusal(`There is no database at ${location.path}. Set DATA_DIR or DATABASE_URL, or run affiliate migrate to create one.`);
  return withSession(work);
}

/** What was told to a command is done, however broken the module is: one that does not load hears of nothing and raises nothing. */
const openSite = (siteModule: () => Promise<SiteModule>): Promise<GuardedSite> =>
  siteModule()
    .catch((error: unknown) => {
      process.stderr.write(`The site module is left out: it hears of no events and raises none. ${sentenceOf(error)}\n`);
      return {};
    })
    .then((module) => guarded(module, ({ member, problem }) => process.stderr.write(`The site module: ${member} ${problem}\n`)));

/** Nobody waits for it, but the process ends only when it is done. */
function tell({ onEvent }: GuardedSite, events: readonly ProgramEvent[]): void {
  if (onEvent) for (const event of events) void onEvent(event);
}

const lastingly = <Made>(make: () => Promise<Made>): (() => Promise<Made>) => {
  let made: Promise<Made> | undefined;
  return () => (made ??= make());
};

/** The database as it is, current or not. */
export async function withDatabase<Result>(work: (database: Database, configuration: Configuration) => Promise<Result>): Promise<Result> {
  const configuration = readConfiguration(process.env);
  const database = await open(configuration.databaseUrl);
  try {
    return await work(database, configuration);
  } finally {
    await database.close();
  }
}

export async function open(url: string): Promise<Database> {
  // Loading it takes longer than everything else here, and a mistyped word should be told at once.
  const { openDatabase } = await import('../db/database.ts');
  makeFolderOf(url);
  try {
    return await openDatabase({ url });
  } catch (error) {
    throw new Refusal(`${sentenceOf(error)} DATABASE_URL says where the database is; without it, it is in the folder DATA_DIR.`);
  }
}

/** What is no address is told by whoever opens it. */
function makeFolderOf(url: string): void {
  const location = locate(url);
  if (location.engine === 'sqlite') makeFolder(path.dirname(path.resolve(location.path)));
}

/** A new database is made ready without a further step. One with data in it waits: its operator decides when, after a backup. */
async function ensureCurrent(database: Database, url: string): Promise<void> {
  const pending = await database.pendingMigrations();
  if (pending.length === migrations.length) return firstUse(database, url);
  const left = await restOf(database, pending);
  if (left.length > 0)
    throw new Refusal(`The database is not up to date: migrations to run: ${left.length}. Run affiliate migrate, after a backup.`);
}

async function firstUse(database: Database, url: string): Promise<void> {
  await database.migrate();
  // Whoever stands in the wrong folder should see that this is not the database they meant.
  const location = locate(url);
  const name = location.engine === 'sqlite' ? location.path : 'PostgreSQL';
  if (process.stderr.isTTY) process.stderr.write(`A new database was made: ${name}\n`);
}

const patience = { looks: 10, everyMs: 100 };

/** What is pending once it no longer gets less: another command may be making the same new database this moment. */
async function restOf(database: Database, pending: string[], looks = patience.looks): Promise<string[]> {
  if (pending.length === 0 || looks === 0) return pending;
  await pause(patience.everyMs);
  const left = await database.pendingMigrations();
  return restOf(database, left, left.length < pending.length ? patience.looks : looks - 1);
}
