import { type Figure, floorOf, isValid, median, type Reading, spread } from '../figures.ts';
import { httpRows } from '../rows.ts';
import { specialRows } from '../special-rows.ts';
import { type TargetName, targetTitles } from '../targets.ts';

export type Cells = readonly string[];

export const ratioToFloor = (figures: readonly Figure[], figure: Figure): number => {
  const floor = floorOf(figures, figure);
  return floor ? median(figure.perSecond) / median(floor.perSecond) : Number.NaN;
};

const whole = (value: number): string => Math.round(value).toLocaleString('en');
export const decimals = (value: number): string => (Number.isFinite(value) ? value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0) : '–');
const percent = (part: number): string => `±${Math.round(part * 50)} %`;

const titles = new Map([...httpRows, ...specialRows].map(({ name, title }) => [name, title]));
const furtherTitles: Record<string, string> = {
  'memory-idle': 'Resident memory, idle',
  'memory-loaded': 'Resident memory, after load',
  'rebuild-usual': '… longest wait without a rebuild',
  'rebuild-duration': '… time of the rebuild itself',
  start: 'Start to listening',
};
export const titleOf = (row: string): string => furtherTitles[row] ?? titles.get(row) ?? row;

export const figureHead: Cells = ['row', 'database', 'orders', 'target', 'requests/s', 'spread', 'p50 ms', 'p99 ms', 'CPU µs', 'of floor'];

export const figureCells = (figures: readonly Figure[], figure: Figure): Cells => [
  titleOf(figure.row),
  figure.engine,
  figure.size,
  targetTitles[figure.target as TargetName] ?? figure.target,
  whole(median(figure.perSecond)),
  percent(spread(figure.perSecond)),
  decimals(median(figure.p50)),
  decimals(median(figure.p99)),
  figure.cpuMicros.length > 0 ? whole(median(figure.cpuMicros)) : '–',
  `${decimals(ratioToFloor(figures, figure))}${isValid(figures, figure) ? '' : ' (invalid)'}`,
];

export const readingHead: Cells = ['what', 'database', 'orders', 'target', 'median', 'spread'];

export const readingCells = ({ row, engine, size, target, unit, values }: Reading): Cells => [
  titleOf(row),
  engine,
  size,
  targetTitles[target as TargetName] ?? target,
  `${median(values) >= 100 ? whole(median(values)) : decimals(median(values))} ${unit}`,
  percent(spread(values)),
];

/** For a terminal. */
export function aligned(rows: readonly Cells[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const figureTable = (figures: readonly Figure[]): string =>
  figures.length === 0 ? '' : aligned([figureHead, ...figures.map((figure) => figureCells(figures, figure))]);

export const readingTable = (readings: readonly Reading[]): string =>
  readings.length === 0 ? '' : aligned([readingHead, ...readings.map(readingCells)]);
