import type { Engine, SizeName } from './dataset/sizes.ts';
import type { HttpRow } from './http-row.ts';
import type { BenchOptions } from './options.ts';
import { otherRows } from './other-rows.ts';
import { isValid, keyOf, type OtherRow, type RowKey, type Run, rowsOf } from './results.ts';
import { httpRows } from './rows.ts';
import { furtherTargets } from './targets.ts';

/** The rows that are measured on one data set. */
export interface Part {
  engine: Engine;
  size: SizeName;
  requestRows: HttpRow[];
  others: OtherRow[];
}

/** `last` has the stored rows, of which those that are not valid may be chosen. */
export function planParts(options: BenchOptions, last?: Run): Part[] {
  const parts = options.engines.flatMap((engine) => options.sizes.map((size) => planPart(engine, size, options, last)));
  return parts.filter(({ requestRows, others }) => requestRows.length + others.length > 0);
}

function planPart(engine: Engine, size: SizeName, options: BenchOptions, last?: Run): Part {
  const isAgain = (row: string): boolean => !options.onlyInvalid || invalidRows(last).has(keyOf({ row, engine, size }));
  // A row that belongs to some sizes is measured at another where none of its own is chosen.
  const isChosen = ({ name, sizes = [size] }: { name: string; sizes?: readonly SizeName[] }): boolean =>
    options.rows.includes(name) && isAgain(name) && (sizes.includes(size) || !sizes.some((own) => options.sizes.includes(own)));
  return { engine, size, requestRows: httpRows.filter(isChosen), others: otherRows.filter(isChosen) };
}

const invalidRows = (last?: Run): Set<string> =>
  new Set(
    rowsOf(last?.series ?? [])
      .filter((row) => !isValid(row))
      .flatMap((row) => row.map(keyOf)),
  );

/** Slices are a third longer than planned, pauses included, and a third more of them are needed until a row is valid. */
const overhead = 1.8;
const warmUpSeconds = 3;
/** Of a process that is started for each sample, in the rows that have them. */
const sampleSeconds = 8;

/** As long as the last time, else by the number of slices. */
function estimateRow(key: RowKey, targets: number, { rounds, seconds }: BenchOptions, last?: Run): number {
  const perRound = last?.secondsPerRound?.[keyOf(key)];
  if (perRound !== undefined) return perRound * rounds;
  return targets * (warmUpSeconds + rounds * seconds * overhead);
}

/** Without the time to create data sets. */
export function estimateSeconds(parts: readonly Part[], options: BenchOptions, last?: Run): number {
  const services = options.against === undefined ? 1 : 2;
  const estimates = parts.flatMap(({ engine, size, requestRows, others }) => [
    ...requestRows.map((row) => {
      const targets = 1 + services + furtherTargets(engine, size, row).length;
      return estimateRow({ row: row.name, engine, size }, targets, options, last);
    }),
    ...others.map(({ name }) => {
      const perRound = last?.secondsPerRound?.[keyOf({ row: name, engine, size })];
      return perRound === undefined ? (services * options.rounds * sampleSeconds) / 4 : perRound * options.rounds;
    }),
  ]);
  return estimates.reduce((sum, seconds) => sum + seconds, 0);
}

export const countRows = (parts: readonly Part[]): number =>
  parts.reduce((rows, { requestRows, others }) => rows + requestRows.length + others.length, 0);
