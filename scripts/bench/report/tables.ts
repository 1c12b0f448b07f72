import { otherRows } from '../other-rows.ts';
import { compare, isValid, type Metric, mainMetric, type Run, rowsOf, type Series } from '../results.ts';
import { httpRows } from '../rows.ts';
import { type ConfidenceInterval, isNarrow, median, medianInterval, toleratedWidth, widthOf } from '../statistics.ts';
import { targetTitles } from '../targets.ts';

/** The first line has the titles of the columns. */
export type Table = readonly (readonly string[])[];

export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function formatValue(metric: Metric, value: number): string {
  if (metric.endsWith('Micros'))
    return value < 10_000 ? `${Math.round(value).toLocaleString('en')} µs` : `${formatNumber(value / 1000)} ms`;
  if (metric === 'perSecond') return `${Math.round(value).toLocaleString('en')}/s`;
  if (metric.endsWith('Megabytes')) return `${Math.round(value)} MB`;
  return `${formatNumber(value)} ms`;
}

const formatRatio = ({ median, low, high }: ConfidenceInterval): string =>
  `${formatNumber(median)} (${formatNumber(low)} – ${formatNumber(high)})`;

const formatWidth = (interval: ConfidenceInterval): string =>
  Number.isFinite(widthOf(interval)) ? `±${(widthOf(interval) * 100).toFixed(1)} %` : 'too few samples';

const formatMedian = ({ values }: Series, metric: Metric): string => {
  const samples = values[metric];
  return samples ? formatValue(metric, median(samples)) : '';
};

const metricTitles: Partial<Record<Metric, string>> = {
  cpuMicros: 'CPU',
  databaseMicros: 'CPU of PostgreSQL',
  perSecond: 'orders per second',
  startMs: 'time to listening',
  pageMs: 'time from navigation',
  idleMegabytes: 'resident memory, idle',
  loadedMegabytes: 'resident memory, after load',
  blockMs: 'longest block of the event loop',
  waitMs: 'longest wait of another request',
  calmWaitMs: 'longest wait without a rebuild',
  rebuildMs: 'duration',
};

const titles = new Map([...httpRows, ...otherRows].map(({ name, title }) => [name, title]));
export const titleOf = (row: string): string => titles.get(row) ?? row;
const isHttpRow = ({ row }: Series): boolean => httpRows.some(({ name }) => name === row);

/** Each target with its figures, and the service divided by it. */
export function resultTable(series: readonly Series[]): Table {
  const head = [
    'row',
    'database',
    'orders',
    'target',
    'CPU',
    'service ÷ target',
    '95 %',
    'second figure',
    'service ÷ target',
    'p50',
    'p99',
  ];
  return [head, ...rowsOf(series).flatMap((row) => row.flatMap((each) => resultLines(row, each)))];
}

/** The first line has the CPU time and the main figure; each further figure has a line of its own. */
function resultLines(row: readonly Series[], each: Series): string[][] {
  const service = row.find(({ target }) => target === 'service');
  const ratio = (metric: Metric): ConfidenceInterval | undefined =>
    service && each !== service && each.values[metric] ? compare(service, each, metric) : undefined;
  const formatted = (metric: Metric): string => {
    const interval = ratio(metric);
    return interval ? formatRatio(interval) : '';
  };
  const alone = row.length === 1 ? medianInterval(each.values[mainMetric(each)] ?? []) : undefined;
  const interval = ratio(mainMetric(each)) ?? alone;
  const width = `${interval ? formatWidth(interval) : ''}${isValid(row) ? '' : ' invalid'}`.trim();
  const figures = (Object.keys(each.values) as Metric[]).filter((metric) => !['cpuMicros', 'p50', 'p99'].includes(metric));
  return figures.map((metric, index) => [
    index === 0 && isHttpRow(each) ? titleOf(each.row) : `${titleOf(each.row)}: ${metricTitles[metric] ?? metric}`,
    each.engine,
    each.size,
    targetTitles[each.target],
    ...(index === 0 ? [formatMedian(each, 'cpuMicros'), formatted('cpuMicros'), width] : ['', '', '']),
    formatMedian(each, metric),
    formatted(metric),
    ...(index === 0 ? [formatMedian(each, 'p50'), formatMedian(each, 'p99')] : ['', '']),
  ]);
}

/** The service divided by the version that `--against` names. Marks rows that cost more than a tenth more, in the median. Empty without such a version. */
export function beforeTable(series: readonly Series[]): Table {
  const lines = rowsOf(series).flatMap((row) => {
    const [service, before] = (['service', 'before'] as const).map((name) => row.find(({ target }) => target === name));
    if (!service || !before) return [];
    const metric = mainMetric(service);
    const ratio = compare(service, before);
    const change = ratio.median > 1 + toleratedWidth ? 'SLOWER' : ratio.median < 1 - toleratedWidth ? 'faster' : '';
    const figures = [metricTitles[metric] ?? metric, formatMedian(service, metric), formatMedian(before, metric)];
    const mark = `${change}${isNarrow(ratio) ? '' : ' (invalid)'}`.trim();
    return [[titleOf(service.row), service.engine, service.size, ...figures, formatRatio(ratio), formatWidth(ratio), mark]];
  });
  return lines.length === 0 ? [] : [['row', 'database', 'orders', 'figure', 'now', 'before', 'now ÷ before', '95 %', ''], ...lines];
}

export function summarise({ series }: Run): string {
  const rows = rowsOf(series);
  const valid = rows.filter(isValid).length;
  const sentence = `${valid} of ${rows.length} rows are valid (${Math.round((100 * valid) / Math.max(1, rows.length))} %).`;
  const slower = beforeTable(series).filter((line) => line.at(-1)?.startsWith('SLOWER'));
  const names = slower.map(([title, engine, size, ...cells]) => `${title} (${engine}, ${size})${cells.at(-1)?.slice('SLOWER'.length)}`);
  return names.length === 0 ? sentence : `${sentence} Slower than before by more than 10 %: ${names.join('; ')}.`;
}

/** For a terminal. */
export function formatText(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string => cell.padEnd(widths[column] ?? 0);
  return table.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}

const formatLine = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

export const formatMarkdown = ([head = [], ...lines]: Table): string =>
  [formatLine(head), formatLine(head.map(() => '---')), ...lines.map(formatLine)].join('\n');
