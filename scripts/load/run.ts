import { megabytesOf } from '../shared/machine.ts';
import { checkNames, type EngineName, engineNames, flag, list, parseNumber, parseOptions, text } from '../shared/options.ts';
import { type Installation, install } from './installation.ts';
import { type LoadRequest, type LoadTally, measureCapacity, OpenLoop } from './open-loop.ts';
import { newLines, toJsonLines } from './store.ts';
import { traffic } from './traffic.ts';

export interface LoadResult {
  engine: EngineName;
  /** Requests per second. */
  capacity: number;
  steady: Phase;
  overload: Phase;
  /** Latency of a read after the overload, in milliseconds. */
  afterwards: number;
  ledgerIsSound: boolean;
  /** Sentences; empty where everything is as expected. */
  failures: string[];
}

/** The result of one rate. Latencies are milliseconds from when a request was due. */
export interface Phase {
  perSecond: number;
  seconds: number;
  answered: number;
  shed: number;
  latency: { p50: number; p99: number; p999: number };
  shedP99: number;
  megabytes: { start: number; middle: number; end: number };
  faults: Record<string, number>;
}

interface Rate {
  perSecond: number;
  seconds: number;
  connections: number;
}

const steadyShare = 0.6;
const overload = { factor: 4, seconds: 20 };

export async function runLoad(engine: EngineName, minutes: number, log: (line: string) => void): Promise<LoadResult> {
  log(`${engine}: creating the store`);
  const installation = await install(engine);
  try {
    await requestFirstPayout(installation);
    const next = traffic(installation.store);
    const capacity = await measureCapacity(installation.service.port, next);
    const run = (share: number, seconds: number, connections: number): Promise<Phase> => {
      const perSecond = Math.round(capacity * share);
      log(`${engine}: ${perSecond} requests a second for ${seconds} seconds`);
      return runPhase(installation, next, { perSecond, seconds, connections });
    };
    const stopImports = startImports(installation);
    const steady = await run(steadyShare, minutes * 60, 500);
    await stopImports();
    const overloaded = await run(overload.factor, overload.seconds, 2000);
    const afterwards = await measureRead(installation);
    const { ok: ledgerIsSound } = await installation.affiliate<{ ok: boolean }>(['ledger', 'verify']);
    const result = { engine, capacity, steady, overload: overloaded, afterwards, ledgerIsSound };
    return { ...result, failures: failuresOf(result) };
  } finally {
    await installation.stop();
  }
}

async function runPhase({ service: { pid, port } }: Installation, next: () => LoadRequest, rate: Rate): Promise<Phase> {
  const megabytes = [megabytesOf(pid)];
  const timer = setInterval(() => megabytes.push(megabytesOf(pid)), Math.min(1000, (rate.seconds * 1000) / 10));
  const tally = await OpenLoop.run({ port, ...rate, next });
  clearInterval(timer);
  return summarize(rate, tally, megabytes);
}

const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

function summarize({ perSecond }: Rate, { seconds, answered, shed, faults }: LoadTally, megabytes: readonly number[]): Phase {
  return {
    perSecond,
    seconds,
    answered: answered.length,
    shed: shed.length,
    latency: { p50: quantile(answered, 0.5), p99: quantile(answered, 0.99), p999: quantile(answered, 0.999) },
    shedP99: quantile(shed, 0.99),
    megabytes: { start: megabytes[0] ?? 0, middle: megabytes[Math.floor(megabytes.length / 2)] ?? 0, end: megabytes.at(-1) ?? 0 },
    faults: Object.fromEntries(faults),
  };
}

function failuresOf({ steady, overload, ledgerIsSound }: Omit<LoadResult, 'failures'>): string[] {
  const faults = [...Object.entries(steady.faults), ...Object.entries(overload.faults)];
  const { middle, end } = steady.megabytes;
  const grows = end > middle * 1.25 && end > middle + 50;
  return [
    ...faults.map(([fault, count]) => `${count} times: ${fault}`),
    ...(steady.shed > 0 ? [`${steady.shed} requests were shed at a rate below the capacity.`] : []),
    ...(grows ? [`Memory grew from ${Math.round(middle)} to ${Math.round(end)} MB in the second half.`] : []),
    ...(overload.shed === 0 ? ['Nothing was shed under overload.'] : []),
    ...(ledgerIsSound ? [] : ['The ledger does not verify.']),
  ];
}

const ordersPerImport = 50;
const importIntervalMs = 10_000;

/** Imports orders and clicks through the command line at an interval. The returned function stops it, and throws where an import failed. */
function startImports({ affiliate, store }: Installation): () => Promise<void> {
  let round = 0;
  let imports: Promise<unknown> = Promise.resolve();
  const importNext = (): void => {
    imports = imports.then(() => affiliate(['import', '-'], toJsonLines(newLines(store, ++round, ordersPerImport))));
  };
  importNext();
  const timer = setInterval(importNext, importIntervalMs);
  return async () => {
    clearInterval(timer);
    await imports;
  };
}

function fetchAsAdmin({ service, store }: Installation, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${store.token}`, 'X-Forwarded-Proto': 'https', 'Content-Type': 'application/json' };
  return fetch(`http://127.0.0.1:${service.port}/api/v2${path}`, { headers, ...init });
}

/** The traffic reads this payout. */
async function requestFirstPayout(installation: Installation): Promise<void> {
  const { status } = await fetchAsAdmin(installation, '/payouts', { method: 'POST', body: JSON.stringify({ coupon_id: 1 }) });
  if (status !== 201) throw new Error(`The first payout could not be requested: ${status}.`);
}

async function measureRead(installation: Installation): Promise<number> {
  const started = performance.now();
  const { status } = await fetchAsAdmin(installation, '/coupons/1');
  if (status !== 200) throw new Error(`After the overload a read was answered ${status}.`);
  return performance.now() - started;
}

const ms = (milliseconds: number): string => `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;

const columns: readonly [name: string, cell: (phase: Phase) => string | number][] = [
  ['sent /s', ({ perSecond }) => perSecond],
  ['seconds', ({ seconds }) => seconds.toFixed(0)],
  ['answered', ({ answered }) => answered],
  ['shed', ({ shed }) => shed],
  ['p50', ({ latency }) => ms(latency.p50)],
  ['p99', ({ latency }) => ms(latency.p99)],
  ['p99.9', ({ latency }) => ms(latency.p999)],
  ['shed p99', ({ shed, shedP99 }) => (shed > 0 ? ms(shedP99) : '')],
  ['RSS MB start/middle/end', ({ megabytes: { start, middle, end } }) => [start, middle, end].map(Math.round).join('/')],
];

/** A Markdown table, for docs/RELIABILITY.md. */
export function formatReport(results: readonly LoadResult[]): string {
  const head = ['engine', 'phase', ...columns.map(([name]) => name)];
  const rows = results.flatMap(({ engine, steady, overload }) =>
    Object.entries({ steady, overload }).map(([name, phase]) => [engine, name, ...columns.map(([, cell]) => cell(phase))]),
  );
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** One sentence for each engine and each failure. */
export const formatVerdicts = (results: readonly LoadResult[]): string[] =>
  results.flatMap(({ engine, capacity, afterwards, ledgerIsSound, failures }) => [
    `${engine}: the capacity is about ${Math.round(capacity)} requests a second. A read after the overload: ${ms(afterwards)}. The ledger ${ledgerIsSound ? 'verifies' : 'DOES NOT verify'}.`,
    ...failures.map((failure) => `${engine}: FAILED. ${failure}`),
  ]);

export interface LoadOptions {
  engines: readonly EngineName[];
  minutes: number;
}

export const help = `npm run load                                 2 minutes on each engine, then 20 seconds of overload
npm run load -- --engine sqlite --minutes 10

  --engine <name>  sqlite or postgres; both by default
  --minutes <n>    of steady load, 2 by default
The capacity is measured first; the steady load is 60 % of it, the overload four times as much. Nine of ten requests are reads, over all
operations that read; one is a write. Exits with 1 when a response is not as expected, when
memory keeps growing, or when the ledger does not verify.`;

export function optionsFrom(args: string[]): LoadOptions | 'help' {
  const { values } = parseOptions({ args, options: { engine: list, minutes: text, help: flag } });
  if (values.help) return 'help';
  return {
    engines: checkNames('engine', values.engine ?? engineNames, engineNames),
    minutes: parseNumber('minutes', values.minutes, 2, { min: 0.05 }),
  };
}
