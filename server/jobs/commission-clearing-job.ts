import type { Logger } from 'pino';
import { type Clock, systemClock } from '../../domain/clock.ts';
import { grantDue } from '../../domain/orders/apply-changes.ts';
import type { UnitOfWork } from '../../domain/ports.ts';
import { buildProgram } from '../../site/program.ts';
import type { SiteSettings } from '../../site/settings/site-settings.ts';

interface Clearing {
  storage: UnitOfWork;
  settings: Pick<SiteSettings, 'current'>;
  clock?: Clock;
}

/** Bounds the length of one write transaction. */
const ordersAtOnce = 500;

/** Grants everything that has become due. Several processes may do so at once: one of them does it. How many orders it were. */
export async function clearDueCommissions({ storage, settings, clock = systemClock }: Clearing): Promise<number> {
  const now = clock.now();
  let cleared = 0;
  // Asked in a read first, because most of the time nothing is due and a write would hold others up for nothing.
  while (await storage.read(({ orders }) => orders.anyDue(now))) {
    const surroundings = { program: buildProgram(await settings.current()), now, userId: 0 };
    const granted = await storage.write((transaction) => grantDue(transaction, surroundings, ordersAtOnce));
    if (granted === 0) break;
    cleared += granted;
  }
  return cleared;
}

interface Turns extends Clearing {
  log: Logger;
  everyMilliseconds?: number;
}

/** Clears at once and then now and again, until it is stopped, which waits for what is under way. What failed is tried again. */
export function startCommissionClearing({ log, everyMilliseconds = 30_000, ...clearing }: Turns): { stop(): Promise<void> } {
  let underWay: Promise<void> | undefined;
  const clear = async (): Promise<void> => {
    try {
      const orders = await clearDueCommissions(clearing);
      if (orders > 0) log.info({ orders }, 'commission was granted');
    } catch (error) {
      log.error({ err: error }, 'granting what is due failed');
    }
    underWay = undefined;
  };
  const takeTurn = (): void => {
    underWay ??= clear();
  };
  takeTurn();
  const timer = setInterval(takeTurn, everyMilliseconds).unref();
  return {
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
