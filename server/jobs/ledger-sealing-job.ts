import type { Logger } from 'pino';
import { type Clock, systemClock } from '../../domain/clock.ts';
import type { Seal } from '../../domain/ledger/seal.ts';
import { maxSealedRows, sealLedger } from '../../domain/ledger/seal-ledger.ts';
import { openSealingKey } from '../../domain/master-key/key-ownership.ts';
import type { MasterKey } from '../../domain/master-key/key-ring.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';

interface SealingOptions {
  storage: UnitOfWork<Repositories>;
  masterKey: MasterKey;
  clock?: Clock;
  signal?: AbortSignal;
}

const dayMs = 86_400_000;

/** Seals if 10,000 rows are unsealed, or any while the last seal is a day old. Returns the last seal that it made. */
export async function sealWhatIsDue({ storage, masterKey, clock = systemClock, signal }: SealingOptions): Promise<Seal | null> {
  const now = clock.now();
  const { stored, unsealed, sealedAt } = await storage.read(async ({ masterKeys, seals }) => {
    const last = await seals.last();
    return {
      stored: await masterKeys.storedKey('sealing_key'),
      unsealed: await seals.unsealed(last?.lastId ?? 0),
      sealedAt: last?.sealedAt ?? Number.NEGATIVE_INFINITY,
    };
  });
  const isDue = unsealed.rows >= maxSealedRows || (unsealed.rows > 0 && now - sealedAt >= dayMs);
  return stored !== null && isDue ? sealLedger({ storage, key: openSealingKey(stored, masterKey), now, signal }) : null;
}

interface SealingJobOptions extends SealingOptions {
  log: Logger;
  everyMilliseconds?: number;
}

/** Looks at once, and every `everyMilliseconds`. A failed run is repeated with the next. `stop` ends the current run after its seal. */
export function startLedgerSealing({ log, everyMilliseconds = 60_000, ...sealing }: SealingJobOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    try {
      const seal = await sealWhatIsDue({ ...sealing, signal: stopping.signal });
      if (seal) log.info({ seal: seal.number, hash: seal.hash }, 'the ledger was sealed');
    } catch (error) {
      if (!stopping.signal.aborted) log.error({ err: error }, 'sealing the ledger failed');
    }
    running = undefined;
  };
  const startRun = (): void => {
    running ??= run();
  };
  startRun();
  const timer = setInterval(startRun, everyMilliseconds).unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
