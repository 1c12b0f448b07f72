import { setTimeout as pause } from 'node:timers/promises';
import type { Datasets } from './dataset/dataset.ts';
import type { Engine, SizeName } from './dataset/sizes.ts';
import { stealTimer } from './machine.ts';
import { type ConfidenceInterval, isNarrow, medianInterval, pairedRatios } from './statistics.ts';
import type { TargetName } from './targets.ts';

/** The first that a row has decides whether it is valid. */
const mainMetrics = ['cpuMicros', 'waitMs', 'blockMs', 'perSecond', 'startMs', 'pageMs'] as const;
type FurtherMetric = 'databaseMicros' | 'idleMegabytes' | 'loadedMegabytes' | 'calmWaitMs' | 'rebuildMs' | 'p50' | 'p99';
/** `cpuMicros` is the CPU time of one request, one order or one start; `databaseMicros` that of PostgreSQL's processes for one request. */
export type Metric = (typeof mainMetrics)[number] | FurtherMetric;
export type Sample = Partial<Record<Metric, number>>;

export interface RowKey {
  row: string;
  engine: Engine;
  size: SizeName;
}

/** The samples of one target in one row: one value for each round, so that equal indexes of two targets are neighbours in time. */
export interface Series extends RowKey {
  target: TargetName;
  values: Partial<Record<Metric, number[]>>;
}

export interface Run {
  date: string;
  machine: string;
  /** Of the service that was measured. */
  commit?: string;
  /** Commit of the checkout that was measured as `before`. */
  before?: string;
  series: Series[];
  /** How long each row took, to estimate the next run. */
  secondsPerRound?: Record<string, number>;
}

export const keyOf = ({ row, engine, size }: RowKey): string => `${row} ${engine} ${size}`;

/** Series by row, in the order of their first appearance. */
export function rowsOf(series: readonly Series[]): Series[][] {
  const rows = new Map<string, Series[]>();
  for (const each of series) rows.set(keyOf(each), [...(rows.get(keyOf(each)) ?? []), each]);
  return [...rows.values()];
}

/** Replaces whole rows, because only what was measured side by side can be compared. */
export function mergeRuns(last: Run, measured: Run): Run {
  const fresh = new Map(rowsOf(measured.series).map((row) => [keyOf(row[0] as Series), row]));
  const merged = rowsOf(last.series).map((row) => {
    const key = keyOf(row[0] as Series);
    const replacement = fresh.get(key) ?? row;
    fresh.delete(key);
    return replacement;
  });
  const secondsPerRound = { ...last.secondsPerRound, ...measured.secondsPerRound };
  return { ...last, ...measured, series: [...merged, ...fresh.values()].flat(), secondsPerRound };
}

/** The metric that decides whether a row is valid. */
export const mainMetric = ({ values }: Series): Metric => mainMetrics.find((metric) => values[metric] !== undefined) ?? 'cpuMicros';

/** CPU time of the server and of its database, slice by slice. On SQLite the server is the database. */
export const totalCpu = ({ values: { cpuMicros = [], databaseMicros = [] } }: Series): number[] =>
  cpuMicros.map((micros, index) => micros + (databaseMicros[index] ?? 0));

/** The one divided by the other. */
export const compare = (one: Series, other: Series, metric: Metric = mainMetric(one)): ConfidenceInterval =>
  medianInterval(pairedRatios(one.values[metric] ?? [], other.values[metric] ?? []));

/** Of the service against each other target of its row; of its own samples where it is alone. */
function intervalsOf(row: readonly Series[]): ConfidenceInterval[] {
  const service = row.find(({ target }) => target === 'service');
  if (!service) return [];
  const others = row.filter((series) => series !== service);
  return others.length > 0 ? others.map((other) => compare(service, other)) : [medianInterval(service.values[mainMetric(service)] ?? [])];
}

/** A row counts when each of its comparisons is precise enough. */
export const isValid = (row: readonly Series[]): boolean => intervalsOf(row).every(isNarrow);

export interface Sampler {
  target: TargetName;
  /** Numbered from 0. Null when there is nothing left to measure; the row ends with the round before. */
  sample(attempt: number): Promise<Sample | null>;
  /** Called once, after the last sample. */
  close?(): void | Promise<void>;
}

/** A row that is no load of requests: each sample is a process of its own. */
export interface OtherRow {
  name: string;
  title: string;
  sizes: readonly SizeName[];
  samplers(datasets: Datasets): Sampler[] | Promise<Sampler[]>;
}

interface Rounds {
  least: number;
  /** Rounds are added up to here as long as the row is not valid. */
  most: number;
  /** A row that takes longer ends with fewer rounds: a target may take seconds for each. */
  limitMs?: number;
  /** How long the row waits in all for cores that the hypervisor has given to others; then it takes what it gets. */
  patienceMs?: number;
}

/** Enough for an interval. */
const fewestRounds = 10;

/**
 * A sample during which the hypervisor gave more of the cores to others is taken again: the operating system counts a part of the stolen time
 * as that of the process. Up to there, more rounds make up for the noise. Tests replace it.
 */
const calmCores = {
  toleratedSteal: 0.2,
  watchSteal: stealTimer,
  /** Before another attempt. */
  pauseMs: 200,
  /** Called once in a row. */
  onWait: () => console.log('  … waiting: the hypervisor has given the cores to others'),
};

/**
 * Measures targets in short turns, one sample each in every round, so that whatever else the machine does meets all of them alike. Every other
 * round runs backwards: a machine that becomes slower and slower favours none.
 */
export async function interleave(key: RowKey, samplers: readonly Sampler[], rounds: Rounds, calm = calmCores): Promise<Series[]> {
  const { least, most, limitMs = Number.POSITIVE_INFINITY, patienceMs = 0 } = rounds;
  const started = performance.now();
  const targets = samplers.map((sampler) => ({ sampler, attempts: 0 }));
  const row = samplers.map(({ target }): Series => ({ ...key, target, values: {} }));
  let lostMs = 0;
  const isLate = (round: number): boolean => round >= fewestRounds && performance.now() - started - lostMs > limitMs;
  const sampleCalmly = async (target: (typeof targets)[number]): Promise<Sample | null> => {
    for (;;) {
      const began = performance.now();
      const stolen = calm.watchSteal();
      const sample = await target.sampler.sample(target.attempts++);
      if (!sample || stolen() <= calm.toleratedSteal || lostMs >= patienceMs) return sample;
      if (lostMs === 0) calm.onWait();
      await pause(calm.pauseMs);
      lostMs += performance.now() - began;
    }
  };
  const sampleRound = async (round: number): Promise<Sample[] | null> => {
    const samples: Sample[] = [];
    const order = [...targets.entries()];
    for (const [index, target] of round % 2 === 0 ? order : order.toReversed()) {
      const sample = await sampleCalmly(target);
      if (!sample) return null;
      samples[index] = sample;
    }
    return samples;
  };
  try {
    for (let round = 0; round < most && (round < least || !isValid(row)) && !isLate(round); round += 1) {
      const samples = await sampleRound(round);
      if (!samples) break;
      for (const [index, sample] of samples.entries()) append(row[index] as Series, sample);
    }
  } finally {
    for (const sampler of samplers) await sampler.close?.();
  }
  return row;
}

function append({ values }: Series, sample: Sample): void {
  for (const [metric, value] of Object.entries(sample) as [Metric, number][]) (values[metric] ??= []).push(value);
}
