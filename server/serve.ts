import { openDatabase } from '../db/database.ts';
import { loadSiteModule } from '../site/extension.ts';
import type { SiteSettings } from '../site/settings/site-settings.ts';
import { openKeyOfDatabase } from './auth/master-key-check.ts';
import { compose } from './compose.ts';
import type { Configuration } from './configuration.ts';
import { type Listening, listen } from './http/http-server.ts';
import { createLog } from './http/request-log.ts';
import { databaseTimeoutMs } from './http/timeouts.ts';
import { startCommissionClearing } from './jobs/commission-clearing-job.ts';
import { createOutbox } from './jobs/open-outbox.ts';
import type { Metrics } from './metrics/metrics.ts';
import { surviveStrayFailures } from './process-errors.ts';
import { openSettings } from './settings.ts';
import { findUnreadableSecrets, logUnreadableSecrets } from './webhooks/readable.ts';
import { createWebhookSender } from './webhooks/send.ts';

export interface Service extends Listening {
  /** Drains, then closes the database. */
  stop(): Promise<void>;
}

/** Starts the whole service in this process: database up to date, site module loaded, listening. */
export async function startService(configuration: Configuration, metrics?: Metrics): Promise<Service> {
  const log = createLog(configuration.logLevel);
  surviveStrayFailures(log, configuration.siteModule);
  const database = await openDatabase({ url: configuration.databaseUrl, timeoutMs: databaseTimeoutMs });
  try {
    await database.migrate((name) => log.info({ migration: name }, 'the database was migrated'));
    const masterKey = await openKeyOfDatabase(database, configuration, (sentence) => log.warn(sentence));
    metrics?.watch(database);
    const siteModule = configuration.siteModule ? await loadSiteModule(configuration.siteModule) : {};
    const settings = openSettings(database, siteModule);
    const webhooks = createWebhookSender();
    const app = await compose({ configuration, database, settings, siteModule, log, masterKey, webhooks, metrics });
    const onShed = (requests: number): void => {
      log.warn({ requests }, 'requests were turned away, because there is too much to do');
      metrics?.requests.recordShed(requests);
    };
    const listening = await listen(app, configuration, { onShed, origins: await listedOrigins(settings) });
    logUnreadableSecrets(await database.read((stores) => findUnreadableSecrets(stores, masterKey, 'active')), log);
    const clearing = startCommissionClearing({ storage: database, settings, log });
    const outbox = createOutbox({ configuration, database, settings, log, masterKey, sendWebhook: webhooks.send, metrics }).start();
    const stop = async (): Promise<void> => {
      await clearing.stop();
      await listening.drain();
      // After the last request, which may leave something to send.
      await outbox.stop();
      await database.close();
    };
    return { ...listening, stop };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** As they were last seen: whoever is turned away keeps nobody waiting for the database. */
async function listedOrigins(settings: SiteSettings): Promise<() => readonly string[]> {
  let seen: readonly string[] = (await settings.current()).cors.origins;
  return () => {
    seen = settings.cached?.cors.origins ?? seen;
    return seen;
  };
}
