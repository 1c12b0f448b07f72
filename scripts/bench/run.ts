import { execFileSync } from 'node:child_process';
import { build, type Checkout, checkoutAt } from '../shared/checkout.ts';
import { describeMachine, leaveServerCore } from '../shared/machine.ts';
import { checkNames, type EngineName, engineNames, flag, list, parseNumber, parseOptions, text } from '../shared/options.ts';
import type { ServerProcess } from '../shared/processes.ts';
import { createDataset, type Dataset, type DatasetName, databasePid, sizes, stopPostgres } from './dataset.ts';
import { interleave, RequestSampler, type RowResult, type Sampler, type Series } from './measure.ts';
import { formatText, summarise, tableOf, writePage } from './report.ts';
import { compareResponses, wireRequest } from './requests.ts';
import { type RequestRow, type Row, rows } from './rows.ts';
import { checkOut, installPeers, loadFlags, startPeer, startService, type TargetName } from './targets.ts';

export interface BenchOptions {
  rows: readonly string[];
  engines: readonly EngineName[];
  /** Slices of each target, at least. */
  rounds: number;
  /** Another commit of this repository. */
  against?: string;
  builds: boolean;
  /** After a whole run. */
  writesPage: boolean;
}

export const help = `npm run bench                          every row on both engines: at most 20 minutes. Writes docs/BENCHMARKS.md
npm run bench -- --row coupon --engine sqlite
npm run bench -- --row import --against 42e01f5

  --row <name>        ${rows.map(({ name }) => name).join(', ')}
  --engine <name>     sqlite, postgres
  --against <commit>  also measure that commit of this repository, in the same rounds
  --rounds <n>        slices of each target, 14 by default; up to twice as many where a row needs them to be valid
  --no-build          measure dist/ as it is
Row and engine can be repeated.`;

export function optionsFrom(args: string[]): BenchOptions | 'help' {
  const options = { row: list, engine: list, against: text, rounds: text, 'no-build': flag, help: flag };
  const { values } = parseOptions({ args, options });
  if (values.help) return 'help';
  const all = rows.map(({ name }) => name);
  return {
    rows: checkNames('row', values.row ?? all, all),
    engines: checkNames('engine', values.engine ?? engineNames, engineNames),
    rounds: parseNumber('rounds', values.rounds, 14, { min: 1, isWhole: true }),
    ...(values.against !== undefined && { against: values.against }),
    builds: !values['no-build'],
    writesPage: !values.row && !values.engine && !values.against && !values.rounds,
  };
}

const say = (text: string): void => console.log(`[${(performance.now() / 60_000).toFixed(1)} min] ${text}`);

export async function runBench(options: BenchOptions): Promise<void> {
  installPeers();
  if (options.builds) build();
  const service = checkoutAt('.', execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim());
  const before = options.against === undefined ? undefined : checkOut(options.against);
  leaveServerCore();
  const results: RowResult[] = [];
  try {
    for (const engine of options.engines)
      for (const data of Object.keys(sizes) as DatasetName[]) results.push(...(await measureRows(engine, data, options, service, before)));
  } finally {
    await stopPostgres();
  }
  const inOrder = rows.flatMap(({ name }) => results.filter(({ row }) => row === name));
  for (const engine of options.engines) console.log(`\n${engine}\n${formatText(tableOf(inOrder, engine, options.against))}`);
  say(summarise(inOrder));
  if (options.writesPage && !process.exitCode)
    writePage(inOrder, `${new Date().toISOString().slice(0, 10)}, commit ${service.commit}; ${describeMachine()}.`);
}

/** The rows that are measured on one data set. */
async function measureRows(
  engine: EngineName,
  data: DatasetName,
  options: BenchOptions,
  service: Checkout,
  before?: Checkout,
): Promise<RowResult[]> {
  const chosen = rows.filter((row) => row.data === data && (row.engine ?? engine) === engine && options.rows.includes(row.name));
  if (chosen.length === 0) return [];
  say(`${engine}: ${data} data set`);
  const datasets: Datasets = { service: await createDataset(engine, data, service) };
  if (before) datasets.before = await createDataset(engine, data, before);
  const results: RowResult[] = [];
  for (const row of chosen) {
    say(`${engine}: ${row.name}`);
    results.push({ row: row.name, engine, series: await measureRow(row, datasets, options.rounds) });
  }
  return results;
}

/** The versions share no database, so that neither invalidates what the other has cached. */
interface Datasets {
  service: Dataset;
  before?: Dataset;
}

/** Of a row. */
const limitMs = 30_000;

/** One row that fails does not end the run, but the page is not written then. */
async function measureRow(row: Row, datasets: Datasets, rounds: number): Promise<Series> {
  try {
    if ('request' in row) return await measureRequests(row, datasets, { least: rounds, most: 2 * rounds, limitMs });
    // Processes take longer than slices, so there are fewer.
    const least = Math.ceil(rounds / 2);
    return await interleave(processSamplers(row, datasets), { least, most: 2 * least, limitMs });
  } catch (error) {
    console.error(`The row ${row.name} failed.`, error);
    process.exitCode = 1;
    return {};
  }
}

const processSamplers = (row: Exclude<Row, RequestRow>, { service, before }: Datasets): Sampler[] => [
  ...(before ? [{ target: 'before' as const, sample: (round: number) => row.sample(before, round) }] : []),
  { target: 'service', sample: (round) => row.sample(service, round) },
];

async function measureRequests(row: RequestRow, { service, before }: Datasets, rounds: Parameters<typeof interleave>[1]): Promise<Series> {
  const servers = new Map<TargetName, ServerProcess>();
  try {
    for (const dataset of [service, before]) if (dataset) await row.prepare?.(dataset);
    servers.set('floor', await startPeer('floor', service));
    if (row.hasPeer) servers.set('fastify', await startPeer('fastify', service));
    if (before) servers.set('before', await startService(before, { args: loadFlags }));
    servers.set('service', await startService(service, { args: loadFlags }));
    await comparePeer(row, service, servers);
    return await interleave(
      [...servers].map(([target, server]) => requestSampler(row, target, server, target === 'before' && before ? before : service)),
      rounds,
    );
  } finally {
    for (const server of servers.values()) await server.stop();
  }
}

async function comparePeer(row: RequestRow, dataset: Dataset, servers: ReadonlyMap<TargetName, ServerProcess>): Promise<void> {
  const [service, peer] = [servers.get('service'), servers.get('fastify')];
  const request = row.request(0, dataset);
  if (service && peer && request) await compareResponses(service.port, peer.port, request, dataset.tokens);
}

function requestSampler(row: RequestRow, target: TargetName, server: ServerProcess, dataset: Dataset): RequestSampler {
  let sent = 0;
  return new RequestSampler({
    target,
    server,
    databasePid: target === 'floor' ? null : databasePid(dataset),
    connections: row.connections ?? 32,
    mostPerSlice: row.mostPerSlice ?? Number.POSITIVE_INFINITY,
    settleMs: row.settleMs ?? 0,
    next: () => {
      // The floor has one response for everything, and never runs out of requests.
      const request = row.request(target === 'floor' ? sent++ % 1000 : sent++, dataset);
      return request && wireRequest(target === 'floor' ? { ...request, expect: 200 } : request, dataset.tokens);
    },
  });
}
