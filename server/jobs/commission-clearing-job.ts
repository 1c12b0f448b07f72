import type { Logger } from 'pino';
import { type Clock, systemClock } from '../../domain/clock.ts';
import { grantDue } from '../../domain/order-recording/apply-changes.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import { buildProgram } from '../../site/program.ts';
import type { SiteSettings } from '../../site/settings/site-settings.ts';
import { startPeriodicJob } from './periodic-job.ts';

interface Clearing {
  storage: UnitOfWork<Repositories>;
  settings: Pick<SiteSettings, 'current'>;
  clock?: Clock;
  /** Ends it after the current batch. */
  signal?: AbortSignal;
}

/** Bounds the length of one write transaction. */
const ordersAtOnce = 500;

/** Grants everything that has become due. Concurrent processes do not grant twice. Returns the number of orders cleared. */
export async function clearDueCommissions({ storage, settings, clock = systemClock, signal }: Clearing): Promise<number> {
  const now = clock.now();
  let cleared = 0;
  // A read first: mostly nothing is due, and a write transaction would block other writers.
  while (await storage.read(({ orders }) => orders.anyDue(now))) {
    if (signal?.aborted) break;
    const context = { program: buildProgram(await settings.current()), now, userId: 0 };
    const granted = await storage.write((transaction) => grantDue(transaction, context, ordersAtOnce));
    if (granted === 0) break;
    cleared += granted;
  }
  return cleared;
}

interface ClearingJobOptions extends Clearing {
  log: Logger;
  everyMilliseconds?: number;
}

/** Clears now and every `everyMilliseconds`. A failed run is repeated with the next. `stop` ends the current run after its batch. */
export const startCommissionClearing = ({ log, everyMilliseconds = 30_000, ...clearing }: ClearingJobOptions): { stop(): Promise<void> } =>
  startPeriodicJob(async (signal) => {
    try {
      const orders = await clearDueCommissions({ ...clearing, signal });
      if (orders > 0) log.info({ orders }, 'commission was granted');
    } catch (error) {
      log.error({ err: error }, 'granting due commissions failed');
    }
  }, everyMilliseconds);
