import { type Engine, type SizeName, sizes } from '../dataset/sizes.ts';
import { type Run, rowsOf, type Series, totalCpu } from '../results.ts';
import { median } from '../statistics.ts';
import type { TargetName } from '../targets.ts';
import { drawFile, escape } from './svg.ts';
import { titleOf } from './tables.ts';

/** What grows with the data, and the row of it that is measured at all sizes. */
const families = { pages: 'orders-last', statistics: 'stats-range', reports: 'report-range', feed: 'feed', clicks: 'clicks-range' };
type Family = keyof typeof families;

interface Line {
  engine: Engine;
  target: TargetName;
  title: string;
  style: string;
}

const lines: readonly Line[] = [
  { engine: 'sqlite', target: 'service', title: 'this service, SQLite', style: 'own line' },
  { engine: 'postgres', target: 'service', title: 'this service, PostgreSQL', style: 'own line dashed' },
  { engine: 'sqlite', target: 'fastify', title: 'Fastify, SQLite', style: 'peer line' },
  { engine: 'postgres', target: 'fastify-pg', title: 'Fastify, PostgreSQL', style: 'peer line dashed' },
];

const sizeNames = Object.keys(sizes) as SizeName[];
const sizeTitles: Record<SizeName, string> = { '1k': '1 k', '100k': '100 k', '2m': '2 M' };

// At a width of 390 pixels its text still has 12.
const [width, height] = [420, 372];
const plot = { left: 66, right: 400, top: 102, bottom: 296 };

type Point = [size: SizeName, micros: number];

function pointsOf(rows: readonly Series[][], row: string, { engine, target }: Line): Point[] {
  return sizeNames.flatMap((size): Point[] => {
    const found = rows.find(([first]) => first?.row === row && first.engine === engine && first.size === size);
    const series = found?.find((each) => each.target === target);
    return series ? [[size, median(totalCpu(series))]] : [];
  });
}

function scale(values: readonly number[], [from, to]: [number, number]): (value: number) => number {
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  return (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
}

const x = scale(
  sizeNames.map((size) => sizes[size].orders),
  [plot.left + 20, plot.right - 20],
);

/** Powers of ten around all values. */
function ticksOf(values: readonly number[]): number[] {
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  return Array.from({ length: Math.max(2, high - low + 1) }, (_, index) => 10 ** (low + index));
}

const timeOf = (micros: number): string =>
  micros >= 1_000_000 ? `${micros / 1_000_000} s` : micros >= 1000 ? `${micros / 1000} ms` : `${micros} µs`;

const text = (content: string, left: number, top: number, more = ''): string =>
  `  <text x="${left.toFixed(1)}" y="${top.toFixed(1)}" ${more}>${escape(content)}</text>`;

function drawLine(points: readonly Point[], { style }: Line, y: (micros: number) => number): string {
  const places = points.map(([size, micros]) => [x(sizes[size].orders).toFixed(1), y(micros).toFixed(1)] as const);
  const path = places.map((place) => place.join(',')).join(' ');
  const dots = places.map(([left, top]) => `  <circle class="${style}" cx="${left}" cy="${top}" r="4"/>`);
  return [`  <polyline class="${style}" points="${path}"/>`, ...dots].join('\n');
}

function drawLegend({ title, style }: Line, index: number): string {
  const [left, top] = [16 + (index % 2) * 188, 52 + Math.floor(index / 2) * 22];
  return `  <line class="${style}" x1="${left}" x2="${left + 26}" y1="${top - 4}" y2="${top - 4}"/>\n${text(title, left + 34, top)}`;
}

/** Undefined where the run has none of its rows. Sizes that were not measured are left out, and named below. */
function drawGrowth({ series }: Run, family: Family): string | undefined {
  const row = families[family];
  const rows = rowsOf(series);
  const drawn = lines.map((line) => [line, pointsOf(rows, row, line)] as const);
  const values = drawn.flatMap(([, points]) => points.map(([, micros]) => micros));
  if (values.length === 0) return undefined;
  const ticks = ticksOf(values);
  const y = scale(ticks, [plot.bottom, plot.top]);
  const missing = drawn.flatMap(([line, points]) => {
    const names = sizeNames.filter((size) => !points.some(([measured]) => measured === size)).map((size) => sizeTitles[size]);
    return names.length > 0 ? [`${line.title} at ${names.join(', ')}`] : [];
  });
  const notes = missing.map((name, index) => text(`Not measured: ${name}`, 16, height + 4 + index * 18, 'class="quiet"'));
  const body = [
    text(titleOf(row), 16, 26, 'class="title"'),
    ...lines.map(drawLegend),
    ...ticks.flatMap((tick) => [
      `  <line class="grid" x1="${plot.left}" x2="${plot.right}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}"/>`,
      text(timeOf(tick), plot.left - 8, y(tick) + 5, 'text-anchor="end"'),
    ]),
    ...sizeNames.map((size) => text(sizeTitles[size], x(sizes[size].orders), plot.bottom + 22, 'text-anchor="middle"')),
    ...drawn.map(([line, points]) => drawLine(points, line, y)),
    text(
      'orders (2.5 events and 2.5 clicks for each)',
      (plot.left + plot.right) / 2,
      plot.bottom + 42,
      'text-anchor="middle" class="quiet"',
    ),
    text('CPU per request, server and database; log scales', 16, plot.bottom + 62, 'class="quiet"'),
    ...notes,
  ];
  return drawFile(width, height + notes.length * 18, `${titleOf(row)}: CPU time per request by number of orders`, body.join('\n'));
}

/** Charts of the families that the run has, by the name of their file. */
export const growthCharts = (run: Run): Map<string, string> =>
  new Map(
    (Object.keys(families) as Family[]).flatMap((family) => {
      const chart = drawGrowth(run, family);
      return chart ? [[`bench-${family}.svg`, chart]] : [];
    }),
  );

/** The part of the page that shows them. */
export function growthSection(run: Run): string {
  const charts = growthCharts(run);
  const parts = Object.entries(families).map(([family, row]) => {
    const file = `bench-${family}.svg`;
    return charts.has(file)
      ? `![${titleOf(row)}: CPU time by number of orders](images/${file})`
      : `No size of “${titleOf(row)}” was measured.`;
  });
  return parts.join('\n\n');
}
