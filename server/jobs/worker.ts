import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { MasterKey } from '../../domain/master-key/key-ring.ts';
import { loadSiteModule } from '../../site/extension.ts';
import { openMasterKey } from '../auth/master-key.ts';
import { type Configuration, databaseTimeoutMs } from '../configuration.ts';
import { createLogger } from '../http/request-log.ts';
import { openConfiguredDatabase } from '../open-database.ts';
import { openSettings, openSite } from '../site.ts';
import { createWebhookSender } from '../webhooks/send.ts';
import { createOutbox, type RunningOutbox } from './outbox.ts';

/** Sends mails and webhooks only: beside a busy service, or on another machine. */
export async function startOutboxWorker(configuration: Configuration): Promise<RunningOutbox> {
  const log = createLogger(configuration.logLevel);
  const siteModule = configuration.siteModule ? await loadSiteModule(configuration.siteModule) : {};
  const database = await openConfiguredDatabase({ url: configuration.databaseUrl, timeoutMs: databaseTimeoutMs });
  const masterKey = await keyFor(database, configuration, log);
  openSite(siteModule, database, log);
  const settings = openSettings(database);
  const outbox = createOutbox({ configuration, database, settings, log, masterKey, sendWebhook: createWebhookSender().send }).start();
  return {
    async stop() {
      await outbox.stop();
      await database.close();
    },
  };
}

async function keyFor(database: Database, configuration: Configuration, log: Logger): Promise<MasterKey> {
  try {
    return await openMasterKey(database, configuration, (sentence) => log.warn(sentence));
  } catch (error) {
    await database.close();
    throw error;
  }
}
