import { setTimeout as pause } from 'node:timers/promises';
import { copySealed, type Dataset, type DatasetCopy, type Datasets } from './dataset/dataset.ts';
import { postgresPid } from './dataset/postgres.ts';
import { ownerOf, sizes, whale } from './dataset/sizes.ts';
import type { HttpRow } from './http-row.ts';
import { LoadGenerator, type NextRequest, type SliceResult } from './load.ts';
import { cpuMicrosOf, cpuTimer } from './machine.ts';
import type { BenchOptions } from './options.ts';
import type { ServerProcess } from './processes.ts';
import { compareResponses, repeat, send } from './requests.ts';
import { interleave, type Sample, type Sampler, type Series } from './results.ts';
import { percentile } from './statistics.ts';
import { furtherTargets, loadFlags, processesOf, startPeer, startService, type TargetName, targetOrder } from './targets.ts';

/** Up to so many times the least number of rounds are measured until a row is valid. */
const mostRounds = 3;

/** Enough for a slice of each target also where one takes seconds for a request. A row whose rounds take longer on average has fewer. */
const longestRoundMs = 10_000;

/** Measures request rows on one data set. Its servers stay up between rows; only one at a time is under load. */
export class HttpMeasurement {
  readonly #datasets: Datasets;
  readonly #options: BenchOptions;
  readonly #servers = new Map<TargetName, ServerProcess>();

  constructor(datasets: Datasets, options: BenchOptions) {
    this.#datasets = datasets;
    this.#options = options;
  }

  async measure(row: HttpRow): Promise<Series[]> {
    if (!row.changes) return this.#measureOn(row, this.#datasets);
    // PostgreSQL copies no database that is in use, and no file should be copied that may be written to.
    await this.stop();
    const changes = row.changes(this.#datasets.service.engine);
    const copies: DatasetCopy[] = [];
    const copy = async (dataset: Dataset, name: string): Promise<DatasetCopy> => {
      const made = await copySealed(dataset, name, changes);
      copies.push(made);
      return made;
    };
    try {
      const { service, before } = this.#datasets;
      return await this.#measureOn(row, {
        service: await copy(service, 'write-service'),
        ...(before && !row.isNew && { before: await copy(before, 'write-before') }),
        ...(row.peers.length > 0 && { peer: await copy(service, 'write-peer') }),
      });
    } finally {
      await this.stop();
      for (const made of copies) await made.remove();
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.stop()));
    this.#servers.clear();
  }

  async #measureOn(row: HttpRow, datasets: Datasets & { peer?: Dataset }): Promise<Series[]> {
    const { engine, size } = datasets.service;
    const { rounds, seconds, patienceMs } = this.#options;
    const servers = await this.#startServers(this.#targetsOf(row, datasets), datasets);
    const requests = await row.requests(sizes[size], servers.get('service')?.port ?? 0);
    if (!row.changes) await compareResponses(servers, requests);
    const databasePid = engine === 'postgres' ? await postgresPid() : null;
    const samplers = [...servers].map(([target, server]) => {
      // The floor has one response for everything.
      const sent = target === 'floor' ? requests.map((request) => ({ ...request, expect: 200 })) : requests;
      const repetition = target === 'floor' && row.repetition === 'once' ? 'cached' : row.repetition;
      return new LoadSampler({ target, server, databasePid, connections: row.connections, next: repeat(sent, repetition), seconds });
    });
    const series = await interleave({ row: row.name, engine, size }, samplers, {
      least: rounds,
      most: rounds * mostRounds,
      limitMs: rounds * longestRoundMs,
      patienceMs,
    });
    return series.map((each, index) => ({ ...each, values: { ...each.values, ...samplers[index]?.latencies() } }));
  }

  #targetsOf(row: HttpRow, { service, before }: Datasets): TargetName[] {
    const targets = new Set<TargetName>(['floor', 'service']);
    if (before) targets.add('before');
    for (const target of furtherTargets(service.engine, service.size, row))
      if (!this.#options.isQuick || target !== 'express') targets.add(target);
    return targetOrder.filter((target) => targets.has(target));
  }

  /** Starts those that do not run yet. The service first: the floor responds with as many bytes. */
  async #startServers(
    targets: TargetName[],
    { service, before, peer = service }: Datasets & { peer?: Dataset },
  ): Promise<Map<TargetName, ServerProcess>> {
    const start = async (name: TargetName, bytes = 0): Promise<ServerProcess> => {
      const running = this.#servers.get(name);
      if (running) return running;
      const isService = name === 'service' || name === 'service-4';
      const dataset = isService ? service : name === 'before' ? before : undefined;
      const server = await (dataset ? startService(dataset, processesOf(name), loadFlags) : startPeer(name, peer.url, bytes));
      this.#servers.set(name, server);
      return server;
    };
    const { bytes } = await send((await start('service')).port, { path: `/coupons/${whale}`, userId: ownerOf(whale) });
    const servers = new Map<TargetName, ServerProcess>();
    for (const name of targets) servers.set(name, await start(name, bytes));
    return servers;
  }
}

/** CPU time after which code is compiled: of a process since its start, and in each row. On a busy machine it takes longer, up to the limit. */
const warmUp = { serverMicros: 1_500_000, rowMicros: 300_000, limitMs: 10_000 };

/** A server is idle when it takes less than this part of a core for so long: a commit may wait for the disk meanwhile. */
const idle = { part: 0.05, windowMs: 50, limitMs: 10_000 };

interface SamplerOptions {
  target: TargetName;
  server: ServerProcess;
  /** Of PostgreSQL, where it is measured. */
  databasePid: number | null;
  connections: number;
  next: NextRequest;
  /** Length of a slice. */
  seconds: number;
}

/** Puts a server under load for a slice at a time. Slices have a number of requests instead of a deadline, and end when the server is idle, so that all their work is within them. */
class LoadSampler implements Sampler {
  readonly target: TargetName;
  readonly #options: SamplerOptions;
  readonly #load: LoadGenerator;
  readonly #latencies: number[] = [];
  /** Estimated from the slices so far. */
  #perSecond = 0;

  constructor(options: SamplerOptions) {
    this.target = options.target;
    this.#options = options;
    this.#load = new LoadGenerator(options.server.port, options.connections);
  }

  async sample(attempt: number): Promise<Sample | null> {
    if (attempt === 0) await this.#warmUp();
    await this.#load.connect(this.#nextCount());
    const { server, databasePid } = this.#options;
    const databaseCpu = databasePid !== null && this.target !== 'floor' ? cpuTimer(databasePid) : null;
    const before = cpuMicrosOf(server.pid);
    const { requests, seconds, latencies } = await this.#slice();
    const after = await this.#cpuWhenIdle();
    if (requests === 0) return null;
    for (const latency of latencies) this.#latencies.push(latency);
    const perSecond = requests / seconds;
    if (before === null || after === null) return { perSecond };
    const cpuMicros = (after - before) / requests;
    return { cpuMicros, perSecond, ...(databaseCpu && { databaseMicros: databaseCpu() / requests }) };
  }

  /** Over all slices: one slice of a slow target has too few requests for a percentile. */
  latencies(): Record<'p50' | 'p99', number[]> {
    return { p50: [percentile(this.#latencies, 0.5)], p99: [percentile(this.#latencies, 0.99)] };
  }

  close(): void {
    this.#load.close();
  }

  async #warmUp(): Promise<void> {
    const { pid, startCpuMicros } = this.#options.server;
    const processes = processesOf(this.target);
    const cpuMicros = (): number => cpuMicrosOf(pid) ?? performance.now() * 1000;
    const until = Math.max(cpuMicros() + processes * warmUp.rowMicros, (startCpuMicros ?? 0) + processes * warmUp.serverMicros);
    const deadline = performance.now() + warmUp.limitMs;
    while (cpuMicros() < until && performance.now() < deadline && (await this.#slice()).requests > 0);
  }

  /** Clicks may be committed and mails sent after the last response: they count, and must not fall into the slice of the next target. */
  async #cpuWhenIdle(): Promise<number | null> {
    const { pid } = this.#options.server;
    const deadline = performance.now() + idle.limitMs;
    for (let before = cpuMicrosOf(pid); ; ) {
      await pause(idle.windowMs);
      const after = cpuMicrosOf(pid);
      if (before === null || after === null || performance.now() > deadline) return after;
      if (after - before < idle.part * idle.windowMs * 1000) return after;
      before = after;
    }
  }

  #nextCount(): number {
    return Math.max(1, Math.round(this.#perSecond * this.#options.seconds));
  }

  async #slice(): Promise<SliceResult> {
    const result = await this.#load.send(this.#nextCount(), this.#options.next);
    const perSecond = result.requests / result.seconds;
    this.#perSecond = this.#perSecond === 0 ? perSecond : (this.#perSecond + perSecond) / 2;
    return result;
  }
}
