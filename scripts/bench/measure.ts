import { setTimeout as pause } from 'node:timers/promises';
import { cpuTimer } from '../shared/machine.ts';
import type { EngineName } from '../shared/options.ts';
import type { ServerProcess } from '../shared/processes.ts';
import { LoadGenerator, type NextRequest, type SliceResult } from './load.ts';
import { type ConfidenceInterval, medianInterval, pairedRatios, toleratedWidth, widthOf } from './statistics.ts';
import type { TargetName } from './targets.ts';

export interface Sample {
  /** What targets are compared by, in the unit of the row. Of requests: the CPU time of one, in microseconds, with that of PostgreSQL. */
  value: number;
  /** The part of it that PostgreSQL took. */
  database?: number;
  perSecond?: number;
}

/** One list for each target. Equal indexes are neighbours in time. */
export type Series = Partial<Record<TargetName, Sample[]>>;

export interface RowResult {
  row: string;
  engine: EngineName;
  series: Series;
}

const valuesOf = (samples: readonly Sample[] = []): number[] => samples.map(({ value }) => value);

/** The service divided by another target, slice by slice. Undefined where the row does not have it. */
export const compare = ({ service, ...others }: Series, target: Exclude<TargetName, 'service'>): ConfidenceInterval | undefined =>
  service && others[target] && medianInterval(pairedRatios(valuesOf(service), valuesOf(others[target])));

/** The widest interval of the row's comparisons; where the service is alone, that of its own values. */
export function widestOf(series: Series): number {
  const compared = (['floor', 'fastify', 'before'] as const).flatMap((target) => compare(series, target) ?? []);
  return Math.max(...(compared.length > 0 ? compared : [medianInterval(valuesOf(series.service))]).map(widthOf));
}

export const isValid = (series: Series): boolean => widestOf(series) <= toleratedWidth;

export interface Sampler {
  target: TargetName;
  /** Null when there is nothing left to measure; the row ends with the round before. */
  sample(round: number): Promise<Sample | null>;
  close?(): void;
}

export interface Rounds {
  least: number;
  /** Rounds are added up to here as long as the row is not valid. */
  most: number;
  /** A row that takes longer ends, with at least six rounds: fewer have no interval. */
  limitMs: number;
}

/**
 * Measures targets in short turns, one sample each in every round, so that whatever else the machine does meets all of them alike. Every other
 * round runs backwards: a machine that becomes slower and slower favours none.
 */
export async function interleave(samplers: readonly Sampler[], { least, most, limitMs }: Rounds): Promise<Series> {
  const started = performance.now();
  const series: Series = {};
  const isLate = (round: number): boolean => round >= 6 && performance.now() - started > limitMs;
  try {
    for (let round = 0; round < most && (round < least || !isValid(series)) && !isLate(round); round += 1) {
      const samples = new Map<TargetName, Sample | null>();
      for (const sampler of round % 2 === 0 ? samplers : samplers.toReversed()) samples.set(sampler.target, await sampler.sample(round));
      if ([...samples.values()].includes(null)) break;
      for (const [target, sample] of samples) if (sample) (series[target] ??= []).push(sample);
    }
  } finally {
    for (const sampler of samplers) sampler.close?.();
  }
  return series;
}

const sliceSeconds = 0.2;

/** Until code is compiled: so many requests, or so much CPU time where a request takes more. On a busy machine it ends at the limit. */
const warmUp = { requests: 12_000, micros: 4_000_000, limitMs: 10_000 };

/** A server is idle when it takes less than this part of a core for so long: a commit may wait for the disk meanwhile. */
const idle = { part: 0.05, windowMs: 50, limitMs: 5000 };

export interface RequestTarget {
  target: TargetName;
  server: ServerProcess;
  /** Of PostgreSQL, where its time counts. */
  databasePid: number | null;
  connections: number;
  mostPerSlice: number;
  /** How long after a response the work that it leaves behind begins. */
  settleMs: number;
  next: NextRequest;
}

/** Puts a server under load for a slice at a time. A slice has a number of requests and ends when the server is idle, so that all of their work is within it. */
export class RequestSampler implements Sampler {
  readonly target: TargetName;
  readonly #of: RequestTarget;
  readonly #load: LoadGenerator;
  /** Estimated from the slices so far. */
  #perSecond = 0;

  constructor(of: RequestTarget) {
    this.target = of.target;
    this.#of = of;
    this.#load = new LoadGenerator(of.server.port, of.connections);
  }

  async sample(round: number): Promise<Sample | null> {
    const { server, databasePid, settleMs } = this.#of;
    if (round === 0) await this.#warmUp();
    const databaseMicros = databasePid === null ? null : cpuTimer(databasePid);
    const serverMicros = cpuTimer(server.pid);
    const { requests, seconds } = await this.#slice();
    if (requests === 0) return null;
    await pause(settleMs);
    await untilIdle(serverMicros);
    const database = databaseMicros && databaseMicros() / requests;
    return { value: serverMicros() / requests + (database ?? 0), perSecond: requests / seconds, ...(database !== null && { database }) };
  }

  close(): void {
    this.#load.close();
  }

  async #warmUp(): Promise<void> {
    const micros = cpuTimer(this.#of.server.pid);
    const deadline = performance.now() + warmUp.limitMs;
    for (let sent = 0; sent < warmUp.requests && micros() < warmUp.micros && performance.now() < deadline; ) {
      const { requests } = await this.#slice();
      if (requests === 0) return;
      sent += requests;
    }
  }

  async #slice(): Promise<SliceResult> {
    const count = Math.max(1, Math.min(this.#of.mostPerSlice, Math.round(this.#perSecond * sliceSeconds)));
    const result = await this.#load.send(count, this.#of.next);
    this.#perSecond = this.#perSecond === 0 ? result.requests / result.seconds : (this.#perSecond + result.requests / result.seconds) / 2;
    return result;
  }
}

/** Clicks may be committed and mails sent after the last response: they count, and must not fall into the slice of the next target. */
async function untilIdle(micros: () => number): Promise<void> {
  const deadline = performance.now() + idle.limitMs;
  for (let before = micros(); performance.now() < deadline; ) {
    await pause(idle.windowMs);
    const after = micros();
    if (after - before < idle.part * idle.windowMs * 1000) return;
    before = after;
  }
}
