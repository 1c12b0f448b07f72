import type { Logger } from 'pino';
import { type Database, openDatabase } from '../../db/database.ts';
import { loadSiteModule } from '../../site/extension.ts';
import { type Configuration, ConfigurationError } from '../configuration.ts';
import { createLog } from '../log.ts';
import { loadMasterKey } from '../master-key.ts';
import { patienceMs } from '../patience.ts';
import { openSettings } from '../settings.ts';
import { openSite } from '../site.ts';
import { reportUnreadable, signingSecrets } from '../webhooks/readable.ts';
import { webhookSender } from '../webhooks/send.ts';
import { openOutbox } from './open.ts';
import type { RunningOutbox } from './outbox.ts';

/** Sends mails and webhooks in this process, and does nothing else: beside a service that is busy, or on another machine. */
export async function startWorker(configuration: Configuration): Promise<RunningOutbox> {
  const log = createLog(configuration.logLevel);
  const masterKey = loadMasterKey(configuration.masterKey, configuration.dataDir, (sentence) => log.warn(sentence));
  const siteModule = configuration.siteModule ? await loadSiteModule(configuration.siteModule) : {};
  const database = await openDatabase({ url: configuration.databaseUrl, patienceMs });
  await refuseWrongKey(database, masterKey, log);
  openSite(siteModule, database, log);
  const settings = openSettings(database);
  const outbox = openOutbox({ configuration, database, settings, log, masterKey, sendWebhook: webhookSender().send }).start();
  return {
    async stop() {
      await outbox.stop();
      await database.close();
    },
  };
}

/** A worker that can deliver nothing is a mistake, and its operator is there to see it. */
async function refuseWrongKey(database: Database, masterKey: string, log: Logger): Promise<void> {
  const found = await database.read((stores) => signingSecrets(stores, masterKey, 'active'));
  if (found.webhooks.length > 0 && found.unreadable.length === found.webhooks.length) {
    await database.close();
    throw new ConfigurationError(
      "MASTER_KEY (or the key in DATA_DIR) opens none of the webhooks' signing secrets: give this worker the one that the service has.",
    );
  }
  reportUnreadable(found, log);
}
