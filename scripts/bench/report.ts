import { readFileSync, writeFileSync } from 'node:fs';
import { type EngineName, engineNames } from '../shared/options.ts';
import { compare, isValid, type RowResult, widestOf } from './measure.ts';
import { type ProcessRow, type Row, rows } from './rows.ts';
import { type ConfidenceInterval, median } from './statistics.ts';

/** The first line has the titles of the columns. */
type Table = readonly (readonly string[])[];

const digitsOf = (value: number): number => (value < 10 ? 2 : value < 100 ? 1 : 0);

function formatNumber(value: number): string {
  const digits = digitsOf(value);
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const formatRatio = (interval: ConfidenceInterval | undefined): string =>
  interval ? `${formatNumber(interval.median)} (${formatNumber(interval.low)} – ${formatNumber(interval.high)})` : '';

const unitOf = (row: Row): ProcessRow['unit'] => ('unit' in row ? row.unit : 'µs');

const medianOf = (values: readonly (number | undefined)[], unit = ''): string => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? '' : `${formatNumber(median(known))}${unit}`;
};

function lineOf({ row: name, series }: RowResult): string[] {
  const row = rows.find((each) => each.name === name);
  const { service = [] } = series;
  if (!row || service.length === 0) return [name, 'failed'];
  const width = widestOf(series);
  return [
    name,
    row.title,
    medianOf(
      service.map(({ value }) => value),
      ` ${unitOf(row)}`,
    ),
    medianOf(
      service.map(({ database }) => database),
      ' µs',
    ),
    medianOf(service.map(({ perSecond }) => perSecond)),
    ...(['floor', 'fastify', 'before'] as const).map((target) => formatRatio(compare(series, target))),
    `${Number.isFinite(width) ? `±${(100 * width).toFixed(0)} %` : 'too few samples'}${isValid(series) ? '' : ', invalid'}`,
  ];
}

const titlesWith = (before?: string): string[] => [
  'row',
  'what',
  'service',
  'PostgreSQL',
  'per second',
  '÷ floor',
  '÷ Fastify',
  `÷ ${before}`,
  '95 %',
];

/** The rows of one engine, without columns that none of them fills. */
export function tableOf(results: readonly RowResult[], engine: EngineName, before?: string): Table {
  const table = [titlesWith(before), ...results.filter((result) => result.engine === engine).map(lineOf)];
  const isFilled = (_: string, column: number): boolean => table.slice(1).some((line) => line[column]);
  return table.map((line) =>
    titlesWith()
      .map((_, column) => line[column] ?? '')
      .filter(isFilled),
  );
}

/** For a terminal. */
export function formatText(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  return table
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function formatMarkdown([head = [], ...lines]: Table): string {
  const formatLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [head, head.map(() => '---'), ...lines].map(formatLine).join('\n');
}

export const summarise = (results: readonly RowResult[]): string =>
  `${results.filter(({ series }) => isValid(series)).length} of ${results.length} rows are valid.`;

const page = 'docs/BENCHMARKS.md';
const [begin, end] = ['<!-- Written by npm run bench: -->', '<!-- until here. -->'];

/** Replaces the figures of the page. Everything else on it is written by hand. */
export function writePage(results: readonly RowResult[], about: string): void {
  const sections = engineNames.map(
    (engine) => `### ${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}\n\n${formatMarkdown(tableOf(results, engine))}`,
  );
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(begin);
  const after = rest.split(end)[1] ?? '';
  writeFileSync(page, `${before}${begin}\n\n${about} ${summarise(results)}\n\n${sections.join('\n\n')}\n\n${end}${after}`);
}
