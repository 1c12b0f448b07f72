import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { MasterKey } from '../../domain/master-key/key-ring.ts';
import { loadSiteModule } from '../../site/extension.ts';
import { openMasterKey } from '../auth/master-key.ts';
import { type Configuration, databaseTimeoutMs } from '../configuration.ts';
import { createLogger } from '../http/request-log.ts';
import { openConfiguredDatabase } from '../open-database.ts';
import { OrderlyStop, stopTimeouts } from '../orderly-stop.ts';
import { handleProcessErrors } from '../process-errors.ts';
import { openSettings, openSite } from '../site.ts';
import { createWebhookSender } from '../webhooks/send.ts';
import { createOutbox } from './outbox.ts';

/** Sends mails and webhooks only: beside a busy service, or on another machine. */
export async function startOutboxWorker(configuration: Configuration): Promise<{ stop(): Promise<boolean> }> {
  const log = createLogger(configuration.logLevel);
  handleProcessErrors(log, configuration.siteModule);
  const siteModule = configuration.siteModule ? await loadSiteModule(configuration.siteModule) : {};
  const database = await openConfiguredDatabase({ url: configuration.databaseUrl, timeoutMs: databaseTimeoutMs });
  const masterKey = await keyFor(database, configuration, log);
  openSite(siteModule, database, log);
  const settings = openSettings(database);
  const outbox = createOutbox({ configuration, database, settings, log, masterKey, sendWebhook: createWebhookSender().send }).start();
  return {
    async stop() {
      const stopping = new OrderlyStop(log);
      await outbox.stop();
      await stopping.wait('the database', database.close(), stopTimeouts.database);
      return stopping.report();
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
