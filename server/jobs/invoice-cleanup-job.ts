import type { Logger } from 'pino';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import type { InvoiceFiles } from '../invoices/invoice-files.ts';
import { startPeriodicJob } from './periodic-job.ts';

interface CleanupParts {
  files: InvoiceFiles;
  storage: UnitOfWork<Repositories>;
  log: Logger;
}

const everyHour = 60 * 60_000;

/** Removes what interrupted uploads of invoices have left, at the start and every hour. */
export const startInvoiceCleanup = ({ files, storage, log }: CleanupParts): { stop(): Promise<void> } =>
  startPeriodicJob(async () => {
    try {
      const removed = await files.removeAbandoned(storage, Date.now());
      if (removed > 0) log.info({ files: removed }, 'files of interrupted uploads of invoices were removed');
    } catch (error) {
      log.error({ err: error }, 'removing files of interrupted uploads of invoices failed');
    }
  }, everyHour);
