import { copyDataset, type Dataset, type DatasetCopy } from './dataset/dataset.ts';
import { ownerOf, sizes, whale } from './dataset/sizes.ts';
import { interleave, type Sampler } from './interleave.ts';
import { LoadGenerator, type LoadResult, type NextRequest } from './load.ts';
import { cpuMicrosOf } from './machine.ts';
import type { ServerProcess } from './processes.ts';
import { compareResponses, repeat, send } from './requests.ts';
import type { Sample, Series } from './results.ts';
import type { HttpRow } from './rows.ts';
import { percentile } from './statistics.ts';
import { loadFlags, startPeer, startService, type TargetName, targetOrder } from './targets.ts';

/** One engine and size, with a data set for each version of the service. */
export interface Datasets {
  service: Dataset;
  before?: Dataset;
}

export interface SliceOptions {
  /** Slices of each target, at least. */
  rounds: number;
  /** Length of a slice. */
  seconds: number;
  isQuick: boolean;
}

type Servers = Map<TargetName, ServerProcess>;

/** Up to so many times the least number of rounds are measured until a row is valid. */
const mostRounds = 3;

/** Rows that show what a second process brings, on PostgreSQL. */
const rowsOnTwoProcesses = new Set(['coupon', 'orders-last', 'stats-range', 'feed']);

/** Measures request rows on one data set. Its servers stay up between rows; only one at a time is under load. */
export class HttpMeasurement {
  readonly #datasets: Datasets;
  readonly #options: SliceOptions;
  readonly #servers: Servers = new Map();

  constructor(datasets: Datasets, options: SliceOptions) {
    this.#datasets = datasets;
    this.#options = options;
  }

  async measure(row: HttpRow): Promise<Series[]> {
    const targets = this.#targetsOf(row);
    if (row.changes) return this.#measureOnCopies(row, row.changes(this.#datasets.service.engine), targets);
    await startServers(this.#servers, targets, this.#datasets);
    return this.#measureServers(row, this.#servers, targets);
  }

  async stop(): Promise<void> {
    await stopServers(this.#servers);
  }

  #targetsOf({ name, peers }: HttpRow): TargetName[] {
    const { service, before } = this.#datasets;
    const targets = new Set<TargetName>(['floor', 'service']);
    if (before) targets.add('before');
    if (service.engine === 'sqlite') for (const peer of peers) if (!this.#options.isQuick || peer !== 'express') targets.add(peer);
    if (service.engine === 'postgres' && rowsOnTwoProcesses.has(name)) targets.add('service-2');
    return targetOrder.filter((target) => targets.has(target));
  }

  async #measureOnCopies(row: HttpRow, changes: string[], targets: TargetName[]): Promise<Series[]> {
    // PostgreSQL copies no database that is in use, and no file should be copied that may be written to.
    await this.stop();
    const copies: DatasetCopy[] = [];
    const copyOf = async (dataset: Dataset, version: string): Promise<Dataset> => {
      const copy = await copyDataset(dataset, `${row.name}-${version}`, changes);
      copies.push(copy);
      return copy;
    };
    const servers: Servers = new Map();
    try {
      const { service, before } = this.#datasets;
      const datasets = { service: await copyOf(service, 'service'), ...(before && { before: await copyOf(before, 'before') }) };
      await startServers(servers, targets, datasets);
      return await this.#measureServers(row, servers, targets);
    } finally {
      await stopServers(servers);
      for (const copy of copies) await copy.remove();
    }
  }

  async #measureServers(row: HttpRow, running: Servers, targets: readonly TargetName[]): Promise<Series[]> {
    const servers: Servers = new Map(targets.map((name) => [name, running.get(name) as ServerProcess]));
    const { engine, size } = this.#datasets.service;
    const requests = await row.requests(sizes[size], servers.get('service')?.port ?? 0);
    const isRead = row.changes === undefined;
    if (isRead) await compareResponses(servers, requests);
    const samplers = [...servers].map(([target, server]) => {
      // The floor has one response for everything.
      const sent = target === 'floor' ? requests.map((request) => ({ ...request, expect: 200 })) : requests;
      const repetition = row.isUncached ? 'uncached' : isRead || target === 'floor' ? 'cached' : 'once';
      return new LoadSampler(target, server, row.connections, repeat(sent, repetition), this.#options.seconds);
    });
    const { rounds } = this.#options;
    const series = await interleave({ row: row.name, engine, size }, samplers, { least: rounds, most: rounds * mostRounds });
    return series.map((each, index) => ({ ...each, values: { ...each.values, ...samplers[index]?.latencies() } }));
  }
}

/** Starts those that do not run yet. The service first: the floor responds with as many bytes. */
async function startServers(servers: Servers, targets: readonly TargetName[], { service, before }: Datasets): Promise<void> {
  const start = async (name: TargetName, bytes = 0): Promise<ServerProcess> => {
    if (name === 'service') return startService(service, 1, loadFlags);
    if (name === 'service-2') return startService(service, 2, loadFlags);
    return name === 'before' && before ? startService(before, 1, loadFlags) : startPeer(name, service, bytes);
  };
  if (!servers.has('service')) servers.set('service', await start('service'));
  const { port } = servers.get('service') as ServerProcess;
  const { bytes } = await send(port, { path: `/coupons/${whale}`, userId: ownerOf(whale) });
  for (const name of targets) if (!servers.has(name)) servers.set(name, await start(name, bytes));
}

async function stopServers(servers: Servers): Promise<void> {
  await Promise.all([...servers.values()].map((server) => server.stop()));
  servers.clear();
}

/** CPU time after which code is compiled: of a server since its start, and in each row. On a busy machine it takes longer, up to the limit. */
const warmUp = { serverMicros: 1_500_000, rowMicros: 300_000, limitMs: 10_000 };

/** Puts a server under load for a slice at a time. Slices have a number of requests instead of a deadline, so that all their work is within them. */
class LoadSampler implements Sampler {
  readonly target: TargetName;
  readonly #server: ServerProcess;
  readonly #next: NextRequest;
  readonly #seconds: number;
  readonly #load: LoadGenerator;
  readonly #latencies: number[] = [];
  /** Estimated from the slices so far. */
  #perSecond = 0;

  constructor(target: TargetName, server: ServerProcess, connections: number, next: NextRequest, seconds: number) {
    this.target = target;
    this.#server = server;
    this.#next = next;
    this.#seconds = seconds;
    this.#load = new LoadGenerator(server.port, connections);
  }

  async sample(round: number): Promise<Sample | null> {
    if (round === 0) await this.#warmUp();
    await this.#load.connect(this.#nextCount());
    const before = cpuMicrosOf(this.#server.pid);
    const { requests, seconds, latencies } = await this.#slice();
    const after = cpuMicrosOf(this.#server.pid);
    if (requests === 0) return null;
    for (const latency of latencies) this.#latencies.push(latency);
    const perSecond = requests / seconds;
    return before === null || after === null ? { perSecond } : { cpuMicros: (after - before) / requests, perSecond };
  }

  /** Over all slices: one slice of a slow target has too few requests for a percentile. */
  latencies(): Record<'p50' | 'p99', number[]> {
    return { p50: [percentile(this.#latencies, 0.5)], p99: [percentile(this.#latencies, 0.99)] };
  }

  close(): void {
    this.#load.close();
  }

  async #warmUp(): Promise<void> {
    const { pid, startCpuMicros } = this.#server;
    const cpuMicros = (): number => cpuMicrosOf(pid) ?? performance.now() * 1000;
    const until = Math.max(cpuMicros() + warmUp.rowMicros, (startCpuMicros ?? 0) + warmUp.serverMicros);
    const deadline = performance.now() + warmUp.limitMs;
    while (cpuMicros() < until && performance.now() < deadline && (await this.#slice()).requests > 0);
  }

  #nextCount(): number {
    return Math.max(1, Math.round(this.#perSecond * this.#seconds));
  }

  async #slice(): Promise<LoadResult> {
    const result = await this.#load.send(this.#nextCount(), this.#next);
    const perSecond = result.requests / result.seconds;
    this.#perSecond = this.#perSecond === 0 ? perSecond : (this.#perSecond + perSecond) / 2;
    return result;
  }
}
