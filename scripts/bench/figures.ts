import type { Engine, SizeName } from './dataset/sizes.ts';

interface Place {
  row: string;
  engine: Engine;
  size: SizeName;
}

/** What one target did in one row, a value for each round. */
export interface Figure extends Place {
  target: string;
  perSecond: number[];
  /** Milliseconds. */
  p50: number[];
  p99: number[];
  /** Processor time for one request in microseconds; empty where the system does not tell. */
  cpuMicros: number[];
}

/** Something that has one value: a time, a size, orders per second. */
export interface Reading extends Place {
  target: string;
  unit: string;
  values: number[];
}

export interface Run {
  date: string;
  machine: string;
  rounds: number;
  secondsPerRound: number;
  figures: Figure[];
  readings: Reading[];
}

/** Rows are whole: what is compared in one of them was measured side by side. So only whole rows take the place of others. */
export const together = (last: Run, measured: Run): Run => ({
  ...measured,
  figures: replaced(last.figures, measured.figures),
  readings: replaced(last.readings, measured.readings),
});

function replaced<Item extends Place>(last: Item[], measured: Item[]): Item[] {
  const key = ({ row, engine, size }: Place): string => `${row} ${engine} ${size}`;
  const anew = new Set(measured.map(key));
  const rowOf = (each: string): Item[] => (anew.has(each) ? measured : last).filter((item) => key(item) === each);
  return [...new Set([...last, ...measured].map(key))].flatMap(rowOf);
}

const sorted = (values: readonly number[]): number[] => values.toSorted((one, other) => one - other);

export function median(values: readonly number[]): number {
  const ordered = sorted(values);
  const middle = ordered.length / 2;
  return ((ordered[Math.ceil(middle) - 1] ?? Number.NaN) + (ordered[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** How far apart the rounds lie, as a part of their median. */
export const spread = (values: readonly number[]): number => (Math.max(...values) - Math.min(...values)) / median(values);

/** Of values in ascending order. */
export const percentile = (ordered: ArrayLike<number>, part: number): number =>
  ordered[Math.min(ordered.length - 1, Math.ceil(ordered.length * part) - 1)] ?? Number.NaN;

/** Beyond this, the machine did something else meanwhile, and no ratio of the row means anything. */
export const tolerated = 0.1;

export const floorOf = (figures: readonly Figure[], { row, engine, size }: Place): Figure | undefined =>
  figures.find((figure) => figure.target === 'floor' && figure.row === row && figure.engine === engine && figure.size === size);

const fewestRounds = 3;

/** A row is as good as the floor in it is steady, which takes some rounds to be seen. */
export function isValid(figures: readonly Figure[], figure: Figure): boolean {
  const floor = floorOf(figures, figure);
  return floor !== undefined && floor.perSecond.length >= fewestRounds && spread(floor.perSecond) <= tolerated;
}
