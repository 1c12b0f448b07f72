import { otherRows } from '../other-rows.ts';
import { compare, isValid, type Metric, mainMetric, type Run, rowsOf, type Series } from '../results.ts';
import { httpRows } from '../rows.ts';
import { type Interval, median, medianInterval, toleratedWidth, widthOf } from '../statistics.ts';
import { targetTitles } from '../targets.ts';

/** The first line has the titles of the columns. */
export type Table = readonly (readonly string[])[];

const digits = (value: number): number => (value < 10 ? 2 : value < 100 ? 1 : 0);
export const formatNumber = (value: number): string =>
  Number.isFinite(value) ? value.toLocaleString('en', { minimumFractionDigits: digits(value), maximumFractionDigits: digits(value) }) : '–';

const formatMicros = (micros: number): string =>
  micros < 10_000 ? `${Math.round(micros).toLocaleString('en')} µs` : `${formatNumber(micros / 1000)} ms`;

const formatRatio = ({ median, low, high }: Interval): string => `${formatNumber(median)} (${formatNumber(low)} – ${formatNumber(high)})`;

const formatWidth = (interval: Interval): string => {
  const width = widthOf(interval);
  return Number.isFinite(width) ? `±${(width * 100).toFixed(1)} %` : 'too few samples';
};

const formats: Record<Metric, (value: number) => string> = {
  cpuMicros: formatMicros,
  perSecond: (value) => `${Math.round(value).toLocaleString('en')}/s`,
  idleMegabytes: (value) => `${Math.round(value)} MB`,
  loadedMegabytes: (value) => `${Math.round(value)} MB`,
  waitMs: (value) => `${formatNumber(value)} ms`,
  calmWaitMs: (value) => `${formatNumber(value)} ms`,
  rebuildMs: (value) => `${formatNumber(value)} ms`,
  startMs: (value) => `${formatNumber(value)} ms`,
  p50: formatNumber,
  p99: formatNumber,
};

const metricTitles: Partial<Record<Metric, string>> = {
  cpuMicros: 'CPU',
  perSecond: 'orders per second',
  startMs: 'time to listening',
  idleMegabytes: 'resident memory, idle',
  loadedMegabytes: 'resident memory, after load',
  waitMs: 'longest wait of another request',
  calmWaitMs: 'longest wait without a rebuild',
  rebuildMs: 'duration',
};

const titles = new Map([...httpRows, ...otherRows].map(({ name, title }) => [name, title]));
export const titleOf = (row: string): string => titles.get(row) ?? row;
export const isHttpRow = ({ row }: Series): boolean => httpRows.some(({ name }) => name === row);

const formatMedian = ({ values }: Series, metric: Metric): string => {
  const samples = values[metric];
  return samples ? formats[metric](median(samples)) : '–';
};

const placeOf = ({ row, engine, size }: Series): string[] => [titleOf(row), engine, size];

const invalidMark = (row: readonly Series[]): string => (isValid(row) ? '' : ' invalid');

/** The service against each other target of its row. */
export function requestTable(series: readonly Series[]): Table {
  const head = [
    'row',
    'database',
    'orders',
    'target',
    'CPU/request',
    'service ÷ target',
    '',
    'requests/s',
    'service ÷ target',
    'p50 ms',
    'p99 ms',
  ];
  const lines = rowsOf(series.filter(isHttpRow)).flatMap((row) => {
    const service = row.find(({ target }) => target === 'service');
    return row.map((each) => {
      const ratio = (metric: Metric): Interval | undefined => (service && each !== service ? compare(service, each, metric) : undefined);
      const [cpu, speed] = [ratio('cpuMicros'), ratio('perSecond')];
      return [
        ...placeOf(each),
        targetTitles[each.target],
        formatMedian(each, 'cpuMicros'),
        cpu ? formatRatio(cpu) : '',
        `${cpu ? formatWidth(cpu) : ''}${invalidMark(row)}`.trim(),
        formatMedian(each, 'perSecond'),
        speed ? formatRatio(speed) : '',
        formatMedian(each, 'p50'),
        formatMedian(each, 'p99'),
      ];
    });
  });
  return [head, ...lines];
}

export function otherTable(series: readonly Series[]): Table {
  const head = ['what', 'database', 'orders', 'target', 'median', '95 % interval', 'service ÷ target', ''];
  const lines = rowsOf(series.filter((each) => !isHttpRow(each))).flatMap((row) => {
    const service = row.find(({ target }) => target === 'service');
    return row.flatMap((each) =>
      (Object.keys(each.values) as Metric[]).map((metric) => {
        const [title = '', ...place] = placeOf(each);
        return [
          `${title}: ${metricTitles[metric] ?? metric}`,
          ...place,
          targetTitles[each.target],
          formatMedian(each, metric),
          formatWidth(medianInterval(each.values[metric] ?? [])),
          service && each !== service ? formatRatio(compare(service, each, metric)) : '',
          metric === mainMetric(each) ? invalidMark(row).trim() : '',
        ];
      }),
    );
  });
  return [head, ...lines];
}

/** The service against the version that `--against` names. Slower is a row that costs more than a tenth more, in its median. */
export function beforeTable(series: readonly Series[]): Table {
  const head = ['row', 'database', 'orders', 'metric', 'now', 'before', 'now ÷ before', '', ''];
  const lines = rowsOf(series).flatMap((row) => {
    const [service, before] = (['service', 'before'] as const).map((name) => row.find(({ target }) => target === name));
    if (!service || !before) return [];
    const metric = mainMetric(service);
    const ratio = compare(service, before);
    const verdict = ratio.median > 1 + toleratedWidth ? 'SLOWER' : ratio.median < 1 - toleratedWidth ? 'faster' : '';
    const cells = [
      metricTitles[metric] ?? metric,
      formatMedian(service, metric),
      formatMedian(before, metric),
      formatRatio(ratio),
      formatWidth(ratio),
    ];
    return [[...placeOf(service), ...cells, `${verdict}${isNarrowEnough(ratio)}`.trim()]];
  });
  return lines.length === 0 ? [] : [head, ...lines];
}

const isNarrowEnough = (interval: Interval): string => (widthOf(interval) <= toleratedWidth ? '' : ' invalid');

/** The rows that are valid, as the last line of a run. */
export function summarise({ series }: Run): string {
  const rows = rowsOf(series);
  const valid = rows.filter(isValid).length;
  const slower = beforeTable(series)
    .filter((line) => line.at(-1)?.startsWith('SLOWER'))
    .map(([title, engine, size]) => `${title} (${engine}, ${size})`);
  const share = rows.length === 0 ? '' : ` (${Math.round((100 * valid) / rows.length)} %)`;
  return [
    `${valid} of ${rows.length} rows are valid${share}.`,
    ...(slower.length > 0 ? [`Slower than before by more than 10 %: ${slower.join('; ')}.`] : []),
  ].join('\n');
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

const formatLine = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

export const formatMarkdown = ([head = [], ...lines]: Table): string =>
  [formatLine(head), formatLine(head.map(() => '---')), ...lines.map(formatLine)].join('\n');
