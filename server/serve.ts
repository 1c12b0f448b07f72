import { openDatabase } from '../db/database.ts';
import { systemClock } from '../domain/clock.ts';
import { loadSiteModule } from '../site/extension.ts';
import { startClearing } from './clearing.ts';
import { compose } from './compose.ts';
import type { Configuration } from './configuration.ts';
import { type Listening, listen } from './listen.ts';
import { createLog } from './log.ts';
import { MailFiles } from './mail-files.ts';
import { loadMasterKey } from './master-key.ts';
import { openSettings } from './settings.ts';

export interface Service extends Listening {
  /** Drains, then closes the database. */
  stop(): Promise<void>;
}

/** Starts the whole service in this process: database up to date, site module loaded, listening. */
export async function startService(configuration: Configuration): Promise<Service> {
  const log = createLog(configuration.logLevel);
  const masterKey = loadMasterKey(configuration.masterKey, configuration.dataDir, (sentence) => log.warn(sentence));
  const database = await openDatabase({ url: configuration.databaseUrl });
  try {
    await database.migrate((name) => log.info({ migration: name }, 'the database was migrated'));
    const siteModule = configuration.siteModule ? await loadSiteModule(configuration.siteModule) : {};
    const settings = openSettings(database, siteModule);
    const mail = new MailFiles({ dataDir: configuration.dataDir, storage: database, clock: systemClock, log });
    await mail.sendUnsent();
    const app = await compose({ configuration, database, settings, siteModule, log, sendMail: mail.send, masterKey });
    const listening = await listen(app, configuration);
    const clearing = startClearing({ storage: database, settings, log });
    const stop = async (): Promise<void> => {
      await clearing.stop();
      await listening.drain();
      await database.close();
    };
    return { ...listening, stop };
  } catch (error) {
    await database.close();
    throw error;
  }
}
