import { capacityOf } from './capacity.ts';
import { type Installation, install } from './installation.ts';
import type { Engine, Options } from './options.ts';
import { type Phase, runPhase } from './phase.ts';
import { traffic } from './traffic.ts';

export interface Result {
  engine: Engine;
  workers: number;
  /** Requests a second that were found to be held, or told. */
  capacity: number;
  steady: Phase;
  overload: Phase | null;
  /** Asked after the overload: milliseconds to the answer of a read. */
  afterwards: number | null;
  ledgerIsSound: boolean;
  /** Sentences. Empty when all is as it must be. */
  failures: string[];
}

const steadyShare = 0.6;
const overloadTimes = 4;

export async function runLoad(engine: Engine, options: Options, say: (sentence: string) => void): Promise<Result> {
  say(`${engine}: making the store`);
  const installation = await install(engine, options.workers);
  try {
    await requestFirstPayout(installation);
    return await loaded(installation, engine, options, say);
  } finally {
    await installation.stop();
  }
}

async function loaded(installation: Installation, engine: Engine, options: Options, say: (sentence: string) => void): Promise<Result> {
  const next = traffic(installation.store);
  const capacity = options.rate === null ? await capacityOf(installation.service.port, next) : options.rate / steadyShare;
  const perSecond = Math.round(capacity * steadyShare);
  say(`${engine}: ${perSecond} requests a second for ${options.minutes} minutes`);
  const steady = await runPhase(installation, next, { perSecond, seconds: options.minutes * 60, connections: 500, withShop: true });
  const overload = options.overloadSeconds > 0 ? await overloaded(installation, next, capacity, options, say) : null;
  const afterwards = overload ? await timeOfRead(installation) : null;
  const { ok: ledgerIsSound } = await installation.affiliate<{ ok: boolean }>(['ledger', 'verify']);
  const result = { engine, workers: options.workers, capacity, steady, overload, afterwards, ledgerIsSound };
  return { ...result, failures: failuresOf(result) };
}

function overloaded(
  installation: Installation,
  next: ReturnType<typeof traffic>,
  capacity: number,
  { overloadSeconds }: Options,
  say: (sentence: string) => void,
): Promise<Phase> {
  const perSecond = Math.round(capacity * overloadTimes);
  say(`overload: ${perSecond} requests a second for ${overloadSeconds} seconds`);
  return runPhase(installation, next, { perSecond, seconds: overloadSeconds, connections: 2000, withShop: false });
}

function failuresOf({ steady, overload, ledgerIsSound }: Omit<Result, 'failures'>): string[] {
  const told = [...Object.entries(steady.faults), ...Object.entries(overload?.faults ?? {})].map(
    ([fault, count]) => `${count} times: ${fault}`,
  );
  const { middle, end } = steady.megabytes;
  return [
    ...told,
    ...(steady.shed > 0 ? [`${steady.shed} requests were shed at a rate that it should hold.`] : []),
    ...(end > middle * 1.25 && end > middle + 50
      ? [`Memory grew from ${Math.round(middle)} to ${Math.round(end)} MB in the second half.`]
      : []),
    ...(overload?.shed === 0 ? ['Nothing was shed under overload.'] : []),
    ...(ledgerIsSound ? [] : ['The ledger does not prove itself.']),
  ];
}

const asAdmin = ({ store }: Installation): Record<string, string> => ({
  Authorization: `Bearer ${store.token}`,
  'X-Forwarded-Proto': 'https',
  'Content-Type': 'application/json',
});

/** So that there is one to read. */
async function requestFirstPayout(installation: Installation): Promise<void> {
  const url = `http://127.0.0.1:${installation.service.port}/api/v2/payouts`;
  const { status } = await fetch(url, { method: 'POST', headers: asAdmin(installation), body: JSON.stringify({ coupon_id: 1 }) });
  if (status !== 201) throw new Error(`The first payout could not be requested: ${status}.`);
}

async function timeOfRead(installation: Installation): Promise<number> {
  const started = performance.now();
  const { status } = await fetch(`http://127.0.0.1:${installation.service.port}/api/v2/coupons/1`, { headers: asAdmin(installation) });
  if (status !== 200) throw new Error(`After the overload a read was answered ${status}.`);
  return performance.now() - started;
}
