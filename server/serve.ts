import type { Router } from '@koa/router';
import type { Database } from '../db/database.ts';
import { parseDatabaseUrl } from '../db/database-url.ts';
import { acquireServeLock, type ServeLock } from '../db/engine/sqlite/serve-lock.ts';
import { systemClock } from '../domain/clock.ts';
import { systemRandom } from '../domain/random.ts';
import { issueSetupLink } from '../domain/users/first-administrator.ts';
import { loadSiteModule, type SiteModule } from '../site/extension.ts';
import { buildProgram } from '../site/program.ts';
import type { Settings } from '../site/settings/settings.ts';
import type { SiteSettings } from '../site/settings/site-settings.ts';
import { openMasterKey } from './auth/master-key.ts';
import { composeService } from './compose.ts';
import { type Configuration, ConfigurationError, databaseTimeoutMs } from './configuration.ts';
import { type ListeningServer, listen } from './http/http-server.ts';
import type { RequestState } from './http/request-context.ts';
import { createLogger } from './http/request-log.ts';
import { InvoiceFiles, invoiceFolder } from './invoices/invoice-files.ts';
import { startCommissionClearing } from './jobs/commission-clearing-job.ts';
import { startInvoiceCleanup } from './jobs/invoice-cleanup-job.ts';
import { startLedgerSealing } from './jobs/ledger-sealing-job.ts';
import { createOutbox } from './jobs/outbox.ts';
import { startRetention } from './jobs/retention-job.ts';
import { startRiskJob } from './jobs/risk-job.ts';
import type { Metrics } from './metrics/metrics.ts';
import { openConfiguredDatabase } from './open-database.ts';
import { OrderlyStop, stopTimeouts } from './orderly-stop.ts';
import { handleProcessErrors } from './process-errors.ts';
import { openSettings } from './site.ts';
import { createWebhookSender } from './webhooks/send.ts';

export interface RunningService extends ListeningServer {
  /** Where the first administrator can be created. Null where there is one, or the link was not asked for. */
  setupUrl: string | null;
  /** Drains, then closes the database. Returns false if something has not ended in time, which may keep the process alive. */
  stop(): Promise<boolean>;
}

interface ServiceOptions {
  metrics?: Metrics | undefined;
  /** Changes the site module, which is empty where none is configured. */
  extendSite?(site: SiteModule): SiteModule;
  /** Further pages, outside of the API. */
  pages?: Router<RequestState>[];
  /** Whether to issue a link for the first administrator, which voids the one of an earlier start. */
  issuesSetupLink?: boolean;
}

/** After the line that says where the service listens. */
const warmUpAfterMs = 300;

/** Starts the service in this process: migrates the database, loads the site module, listens, and runs the jobs. */
export async function startService(
  configuration: Configuration,
  { metrics, extendSite, pages = [], issuesSetupLink = false }: ServiceOptions = {},
): Promise<RunningService> {
  const log = createLogger(configuration.logLevel);
  handleProcessErrors(log, configuration.siteModule);
  const database = await openConfiguredDatabase({ url: configuration.databaseUrl, timeoutMs: databaseTimeoutMs });
  let lock: ServeLock | undefined;
  try {
    lock = await requireOnlyServer(configuration.databaseUrl);
    const migrations = await database.migrate();
    if (migrations.length > 0) log.info({ migrations: migrations.length }, 'the database was brought up to date');
    const masterKey = await openMasterKey(database, configuration, (sentence) => log.warn(sentence));
    metrics?.watch(database);
    const loaded = configuration.siteModule ? await loadSiteModule(configuration.siteModule) : {};
    const siteModule = extendSite?.(loaded) ?? loaded;
    const settings = openSettings(database, siteModule);
    const webhooks = createWebhookSender();
    const { handle, warmUp, endStreams, flush } = await composeService({
      configuration,
      database,
      settings,
      siteModule,
      log,
      masterKey,
      webhooks,
      metrics,
      pages,
    });
    const onShed = (requests: number): void => {
      log.warn({ requests }, 'requests were shed, because too many are in flight');
      metrics?.requests.recordShed(requests);
    };
    const current = await trackSettings(settings);
    const server = await listen(handle, configuration, {
      onShed,
      onCertificate: (error) =>
        error
          ? log.error({ err: error }, 'the renewed certificate cannot be used; the former one is served')
          : log.info('the renewed certificate is served'),
      origins: () => current().cors.origins,
      connectionsPerAddress: () => current().limits.connections_per_address,
    });
    const setupUrl = issuesSetupLink ? await createSetupUrl(database, current(), server.url) : null;
    setTimeout(warmUp, warmUpAfterMs).unref();
    const clearing = startCommissionClearing({ storage: database, settings, log });
    const cleanup = startInvoiceCleanup({ files: new InvoiceFiles(invoiceFolder(configuration)), storage: database, log });
    const retention = startRetention({ storage: database, settings, dataDir: configuration.dataDir, log });
    const sealing = startLedgerSealing({ storage: database, masterKey, log });
    const risk = startRiskJob({ storage: database, settings, masterKey, log });
    const outbox = createOutbox({ configuration, database, settings, log, masterKey, sendWebhook: webhooks.send, metrics }).start();
    const stop = async (): Promise<boolean> => {
      const stopping = new OrderlyStop(log);
      endStreams();
      const jobs = Object.entries({ clearing, cleanup, retention, sealing, risk }).map(([name, job]) =>
        stopping.wait(`the job ${name}`, job.stop(), stopTimeouts.requests),
      );
      stopping.addOpen(...(await server.drain(stopTimeouts.requests)));
      await Promise.all(jobs);
      await stopping.wait('work after responses', flush(), stopTimeouts.background);
      // After the last request, which may queue something to send.
      await outbox.stop();
      await stopping.wait('the database', database.close(), stopTimeouts.database);
      await lock?.release();
      return stopping.report();
    };
    return { ...server, setupUrl, stop };
  } catch (error) {
    await database.close();
    await lock?.release();
    throw error;
  }
}

/** Null if there is an administrator. The link is not logged: it is printed once, to the terminal of the operator. */
async function createSetupUrl(database: Database, settings: Settings, listeningUrl: string): Promise<string | null> {
  if (await database.query(({ users }) => users.hasAdministrator())) return null;
  const path = await database.write((transaction) => issueSetupLink(transaction, systemClock.now(), systemRandom));
  // A service that listens on all addresses is reached at this one from its own machine.
  const reachable = listeningUrl.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, '//localhost');
  return path && (buildProgram(settings).serviceUrl || reachable) + path;
}

/** @throws ConfigurationError if another process serves the same SQLite file. */
export async function requireOnlyServer(url: string): Promise<ServeLock | undefined> {
  const location = parseDatabaseUrl(url);
  if (location.engine !== 'sqlite') return undefined;
  const lock = await acquireServeLock(location.path);
  if ('release' in lock) return lock;
  const holder = lock.heldBy === null ? 'Another process' : `Process ${lock.heldBy}`;
  throw new ConfigurationError(
    `${holder} serves the database ${location.path} already. On SQLite one process serves: stop it first, or use PostgreSQL for several.`,
  );
}

/** The settings as last read: accepting a connection and shedding a request must not wait for the database. */
async function trackSettings(settings: SiteSettings): Promise<() => Settings> {
  let last = await settings.current();
  return () => {
    last = settings.cached ?? last;
    return last;
  };
}
