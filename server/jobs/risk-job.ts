import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { createVisitorHasher } from '../../domain/clicks/record.ts';
import { type Clock, systemClock } from '../../domain/clock.ts';
import type { KeyRing } from '../../domain/master-key/key-ring.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import { ScanInProgressError, type ScanOptions, type ScanOutcome, scanRisks } from '../../domain/risk/scan.ts';
import type { HeavyReads, UnitOfWork } from '../../domain/unit-of-work.ts';
import { buildRiskRules } from '../../site/risk-rules.ts';
import { isAddOnActive } from '../../site/served.ts';
import type { SiteSettings } from '../../site/settings/site-settings.ts';
import { startPeriodicJob } from './periodic-job.ts';

interface Scan extends Partial<Pick<ScanOptions, 'isFull' | 'signal' | 'onProgress'>> {
  storage: UnitOfWork<Repositories> & HeavyReads<Repositories>;
  settings: Pick<SiteSettings, 'current'>;
  masterKey: KeyRing;
  clock?: Clock;
}

/** Computes signals. Null while the add-on is inactive. @throws ScanInProgressError */
export async function scan(options: Scan): Promise<ScanOutcome | null> {
  const { storage, settings, masterKey, clock = systemClock, isFull = false, signal, onProgress = () => {} } = options;
  const current = await settings.current();
  if (!isAddOnActive('risk', current)) return null;
  const { decrypt } = createSecrets('payout_details', masterKey, systemRandom);
  return scanRisks({
    storage,
    secrets: { hash: createVisitorHasher(masterKey.visitorKey), decrypt },
    rules: buildRiskRules(current),
    now: () => clock.now(),
    holder: randomUUID(),
    isFull,
    signal,
    onProgress,
  });
}

interface RiskJobOptions extends Omit<Scan, 'isFull' | 'signal' | 'onProgress'> {
  log: Logger;
  everyMilliseconds?: number;
}

/** Scans what has changed, now and every minute. A failed run is continued by the next. `stop` ends the current run after its batch. */
export function startRiskJob({ log, everyMilliseconds = 60_000, ...options }: RiskJobOptions): { stop(): Promise<void> } {
  return startPeriodicJob(async (signal) => {
    try {
      const outcome = await scan({ ...options, signal });
      if (outcome && outcome.opened + outcome.expired > 0) log.info(outcome, 'risk signals were computed');
    } catch (error) {
      if (!(error instanceof ScanInProgressError || signal.aborted)) log.error({ err: error }, 'computing risk signals failed');
    }
  }, everyMilliseconds);
}
