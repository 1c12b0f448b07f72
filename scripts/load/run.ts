import { megabytesOf } from '../shared/machine.ts';
import { checkNames, type EngineName, engineNames, flag, list, parseNumber, parseOptions, text } from '../shared/options.ts';
import { UsageError } from '../shared/usage.ts';
import { type Installation, install } from './installation.ts';
import { type LoadRequest, type LoadTally, measureCapacity, OpenLoop } from './open-loop.ts';
import { newLines, toJsonLines } from './store.ts';
import { traffic } from './traffic.ts';

export interface LoadResult {
  engine: EngineName;
  workers: number;
  /** Requests per second, measured or derived from `--rate`. */
  capacity: number;
  steady: Phase;
  overload: Phase | null;
  /** Latency of a read after the overload, in milliseconds. */
  afterwards: number | null;
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
  latency: { p50: number; p99: number; p999: number; max: number };
  shedLatency: { p50: number; p99: number };
  megabytes: { start: number; middle: number; end: number };
  faults: Record<string, number>;
}

interface Rate {
  perSecond: number;
  seconds: number;
  connections: number;
}

const steadyShare = 0.6;
const overloadFactor = 4;

export async function runLoad(engine: EngineName, options: LoadOptions, log: (line: string) => void): Promise<LoadResult> {
  log(`${engine}: creating the store`);
  const installation = await install(engine, options.workers);
  try {
    await requestFirstPayout(installation);
    const next = traffic(installation.store);
    const capacity = options.rate === null ? await measureCapacity(installation.service.port, next) : options.rate / steadyShare;
    const perSecond = Math.round(capacity * steadyShare);
    log(`${engine}: ${perSecond} requests a second for ${options.minutes} minutes`);
    const stopImports = startImports(installation);
    const steady = await runPhase(installation, next, { perSecond, seconds: options.minutes * 60, connections: 500 });
    await stopImports();
    const overload = await runOverload(installation, next, capacity, options, log);
    const afterwards = overload ? await measureRead(installation) : null;
    const { ok: ledgerIsSound } = await installation.affiliate<{ ok: boolean }>(['ledger', 'verify']);
    const result = { engine, workers: options.workers, capacity, steady, overload, afterwards, ledgerIsSound };
    return { ...result, failures: failuresOf(result) };
  } finally {
    await installation.stop();
  }
}

async function runOverload(
  installation: Installation,
  next: () => LoadRequest,
  capacity: number,
  { overloadSeconds }: LoadOptions,
  log: (line: string) => void,
): Promise<Phase | null> {
  if (overloadSeconds === 0) return null;
  const perSecond = Math.round(capacity * overloadFactor);
  log(`overload: ${perSecond} requests a second for ${overloadSeconds} seconds`);
  return runPhase(installation, next, { perSecond, seconds: overloadSeconds, connections: 2000 });
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
    latency: {
      p50: quantile(answered, 0.5),
      p99: quantile(answered, 0.99),
      p999: quantile(answered, 0.999),
      max: answered.at(-1) ?? 0,
    },
    shedLatency: { p50: quantile(shed, 0.5), p99: quantile(shed, 0.99) },
    megabytes: { start: megabytes[0] ?? 0, middle: megabytes[Math.floor(megabytes.length / 2)] ?? 0, end: megabytes.at(-1) ?? 0 },
    faults: Object.fromEntries(faults),
  };
}

function failuresOf({ steady, overload, ledgerIsSound }: Omit<LoadResult, 'failures'>): string[] {
  const faults = [...Object.entries(steady.faults), ...Object.entries(overload?.faults ?? {})];
  const { middle, end } = steady.megabytes;
  const grows = end > middle * 1.25 && end > middle + 50;
  return [
    ...faults.map(([fault, count]) => `${count} times: ${fault}`),
    ...(steady.shed > 0 ? [`${steady.shed} requests were shed at a rate below the capacity.`] : []),
    ...(grows ? [`Memory grew from ${Math.round(middle)} to ${Math.round(end)} MB in the second half.`] : []),
    ...(overload?.shed === 0 ? ['Nothing was shed under overload.'] : []),
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
  ['shed p99', ({ shed, shedLatency }) => (shed > 0 ? ms(shedLatency.p99) : '')],
  ['RSS MB start/middle/end', ({ megabytes: { start, middle, end } }) => [start, middle, end].map(Math.round).join('/')],
];

/** A Markdown table, for docs/RELIABILITY.md. */
export function formatReport(results: readonly LoadResult[]): string {
  const head = ['engine', 'phase', ...columns.map(([name]) => name)];
  const rows = results.flatMap(({ engine, workers, steady, overload }) => {
    const name = workers > 1 ? `${engine}, ${workers} processes` : engine;
    const row = (phaseName: string, phase: Phase) => [name, phaseName, ...columns.map(([, cell]) => cell(phase))];
    return [row('steady', steady), ...(overload ? [row('overload', overload)] : [])];
  });
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** One sentence for each engine and each failure. */
export const formatVerdicts = (results: readonly LoadResult[]): string[] =>
  results.flatMap(({ engine, capacity, afterwards, ledgerIsSound, failures }) => [
    `${engine}: the capacity is about ${Math.round(capacity)} requests a second.${afterwards === null ? '' : ` A read after the overload: ${ms(afterwards)}.`} The ledger ${ledgerIsSound ? 'verifies' : 'DOES NOT verify'}.`,
    ...failures.map((failure) => `${engine}: FAILED. ${failure}`),
  ]);

export interface LoadOptions {
  engines: readonly EngineName[];
  minutes: number;
  /** Requests per second. Null: 60 % of the measured capacity. */
  rate: number | null;
  workers: number;
  overloadSeconds: number;
  json: boolean;
  builds: boolean;
}

export const help = `npm run load                                2 minutes on each engine, then 20 seconds of overload
npm run load -- --engine sqlite --minutes 10 --rate 300

  --engine <name>       sqlite or postgres; both by default
  --minutes <n>         of steady load, 2 by default
  --rate <n>            requests per second; by default 60 % of the capacity, which is measured first
  --workers <n>         processes on PostgreSQL, 1 by default
  --overload <seconds>  at 4 times the capacity, 20 by default; 0 for none
  --json                one JSON document on standard output
  --no-build            load dist/ as it is
Nine of ten requests are reads, over all operations that read; one is a write. Exits with 1 when a response is not as expected, when
memory keeps growing, or when the ledger does not verify.`;

export function optionsFrom(args: string[]): LoadOptions | 'help' {
  const options = { engine: list, minutes: text, rate: text, workers: text, overload: text, json: flag, 'no-build': flag, help: flag };
  const { values } = parseOptions({ args, options });
  if (values.help) return 'help';
  const workers = parseNumber('workers', values.workers, 1, { min: 1, isWhole: true });
  const engines = checkNames('engine', values.engine ?? engineNames, engineNames);
  if (workers > 1 && engines.includes('sqlite')) throw new UsageError('Several workers need PostgreSQL: add --engine postgres.');
  return {
    engines,
    minutes: parseNumber('minutes', values.minutes, 2, { min: 0.05 }),
    rate: values.rate === undefined ? null : parseNumber('rate', values.rate, 0, { min: 1 }),
    workers,
    overloadSeconds: parseNumber('overload', values.overload, 20, { min: 0 }),
    json: values.json ?? false,
    builds: !values['no-build'],
  };
}
