import type { ScanOutcome } from '../../domain/risk/scan.ts';
import { scan } from '../../server/jobs/risk-job.ts';
import { masterKey, type TestService } from '../support/service.ts';

/** As the job of the service does it. */
export const scanService = ({ storage, settings, clock }: TestService, isFull = false): Promise<ScanOutcome | null> =>
  scan({ storage, settings, clock, isFull, masterKey: { keys: () => [masterKey], visitorKey: Buffer.from(masterKey) } });
