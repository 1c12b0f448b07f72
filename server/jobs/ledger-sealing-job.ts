import type { Logger } from 'pino';
import type { Seal } from '../../domain/ledger/seal.ts';
import { maxSealedRows, sealDay, sealLedger } from '../../domain/ledger/seal-ledger.ts';
import { clockTolerance } from '../../domain/ledger/verify-days.ts';
import { openSealingKey } from '../../domain/master-key/key-ownership.ts';
import type { MasterKey } from '../../domain/master-key/key-ring.ts';
import { type Clock, systemClock, type UnitOfWork } from '../../domain/ports.ts';

interface SealingOptions {
  storage: UnitOfWork;
  masterKey: MasterKey;
  clock?: Clock;
  signal?: AbortSignal;
}

const dayMs = 86_400_000;

/**
 * Seals if there are 10,000 unsealed rows, or the last seal is a day old, or it or a movement is dated in the future: the clock was put right,
 * and what follows is older. Returns the last seal that it made.
 */
export async function sealWhatIsDue({ storage, masterKey, clock = systemClock, signal }: SealingOptions): Promise<Seal | null> {
  const now = clock.now();
  const { stored, last, ids, newestAt } = await storage.read(async ({ sealing, seals }) => {
    const newest = await seals.last();
    return {
      ...{ stored: await sealing.storedKey('sealing_key'), last: newest, ids: await seals.lastIds() },
      newestAt: await seals.newestAt(newest?.ledgerId ?? 0),
    };
  });
  const isEmpty = last === null && ids.ledgerId === 0 && ids.digestId === 0;
  if (stored === null || isEmpty) return null;
  const unsealed = ids.ledgerId - (last?.ledgerId ?? 0) + ids.digestId - (last?.digestId ?? 0);
  const isClockSetBack = Math.max(newestAt, last?.sealedAt ?? 0) > now + clockTolerance;
  const isDayOver = last === null || now - last.sealedAt >= dayMs || isClockSetBack;
  if (!isDayOver && unsealed < maxSealedRows) return null;
  const sealing = { storage, key: openSealingKey(stored, masterKey), now, signal };
  return isDayOver ? sealDay(sealing) : sealLedger(sealing);
}

interface SealingJobOptions extends SealingOptions {
  log: Logger;
  everyMilliseconds?: number;
}

/** Looks at once, and every `everyMilliseconds`. A failed run is repeated with the next. `stop` ends the current run after its page. */
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
