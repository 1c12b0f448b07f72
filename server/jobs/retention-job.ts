import type { Logger } from 'pino';
import { type Clock, systemClock } from '../../domain/clock.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import { findOldestClick } from '../../site/program.ts';
import type { SiteSettings } from '../../site/settings/site-settings.ts';
import { removeMailFiles } from '../mail/mail-files.ts';
import { startPeriodicJob } from './periodic-job.ts';

interface Retention {
  storage: UnitOfWork<Repositories>;
  settings: Pick<SiteSettings, 'current'>;
  /** Of the files of mails. */
  dataDir: string;
  clock?: Clock;
  /** Ends it after the current batch. */
  signal?: AbortSignal;
}

/** Bounds the length of one write transaction. */
const rowsAtOnce = 500;

const dayMs = 86_400_000;

/** Erases what the settings keep no longer. Processes take turns. Returns how much it erased. */
export async function eraseExpired(retention: Retention): Promise<{ applications: number; clicks: number }> {
  const { storage, clock = systemClock, signal } = retention;
  const settings = await retention.settings.current();
  const now = clock.now();
  const { declined_days: declinedDays } = settings.privacy;
  const applications = declinedDays === 0 ? 0 : await repeat(signal, () => eraseDeclined(retention, now - declinedDays * dayMs));
  const oldestClick = findOldestClick(settings, now);
  const clicks =
    oldestClick === 0 ? 0 : await repeat(signal, () => storage.write(({ erasure }) => erasure.eraseClicksBefore(oldestClick, rowsAtOnce)));
  return { applications, clicks };
}

const eraseDeclined = ({ storage, dataDir }: Retention, moment: number): Promise<number> =>
  storage.write(async ({ erasure }) => {
    const ids = await erasure.claimDeclinedBefore(moment, rowsAtOnce);
    const mailIds = await erasure.eraseApplications(ids, 'erased');
    // Before the commit: what fails is tried again with the rows.
    await removeMailFiles(dataDir, mailIds);
    return ids.length;
  });

/** Until a batch is not full or the signal is aborted. Returns the sum. */
async function repeat(signal: AbortSignal | undefined, eraseBatch: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let erased = rowsAtOnce; erased >= rowsAtOnce; sum += erased) erased = signal?.aborted ? 0 : await eraseBatch();
  return sum;
}

interface RetentionJobOptions extends Retention {
  log: Logger;
  everyMilliseconds?: number;
}

/** Erases now and every hour. A failed run is repeated with the next. `stop` ends the current run after its batch. */
export const startRetention = ({ log, everyMilliseconds = 3_600_000, ...retention }: RetentionJobOptions): { stop(): Promise<void> } =>
  startPeriodicJob(async (signal) => {
    try {
      const erased = await eraseExpired({ ...retention, signal });
      if (erased.applications > 0 || erased.clicks > 0) log.info(erased, 'expired applications and clicks were erased');
    } catch (error) {
      log.error({ err: error }, 'erasing expired applications and clicks failed');
    }
  }, everyMilliseconds);
