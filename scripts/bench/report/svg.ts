import type { SizeName } from '../dataset/sizes.ts';
import { compare, type Run, rowsOf, type Series } from '../results.ts';
import { median } from '../statistics.ts';
import { type TargetName, targetTitles } from '../targets.ts';
import { formatNumber, titleOf } from './tables.ts';

// Light and dark colours in one file, with a background of its own: the page around it may not follow the reader's system.
const style = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2933; }
  .title { font-size: 15px; font-weight: 600; }
  .quiet { fill: #66727f; font-size: 12px; }
  .bar { fill: #b8c2cc; }
  .ours { fill: #2563eb; }
  .ground { fill: #ffffff; }
  .grid { stroke: #d9dfe5; }
  .line { fill: none; stroke-width: 2.5; }
  circle.line { fill: #ffffff; }
  .own { stroke: #2563eb; }
  .peer { stroke: #b45309; }
  .dashed { stroke-dasharray: 7 5; }
  circle.dashed { stroke-dasharray: none; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e9ec; }
    .quiet { fill: #9aa5b1; }
    .bar { fill: #4b5763; }
    .ours { fill: #60a5fa; }
    .ground { fill: #14191f; }
    .grid { stroke: #323c46; }
    circle.line { fill: #14191f; }
    .own { stroke: #60a5fa; }
    .peer { stroke: #f59e0b; }
  }`;

const width = 800;
const left = 360;
const barHeight = 20;
const gap = 8;
const titleHeight = 46;

/** The rows that are drawn, where the run has them, and the target that counts as 1. */
const charts: readonly { row: string; size: SizeName; base: TargetName }[] = [
  { row: 'coupon', size: '1k', base: 'fastify' },
  { row: 'coupon-unseen', size: '1k', base: 'fastify' },
  { row: 'orders', size: '1k', base: 'fastify' },
  { row: 'orders-last', size: '2m', base: 'fastify' },
];

const label = 'CPU time per request of the service and of others that do the same job';
const captions = [
  'CPU time per request: less is better. In brackets: how many times that of Fastify. SQLite, one process.',
  'The service serves “One coupon” from its cache until the next commit; the others have no cache.',
];

export const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const cpuOf = ({ values }: Series): number => median(values.cpuMicros ?? []);

/** The cheapest first. */
function drawChart(title: string, row: readonly Series[], base: TargetName, top: number): string {
  const ordered = row.toSorted((one, other) => cpuOf(one) - cpuOf(other));
  const longest = Math.max(...row.map(cpuOf));
  const unit = row.find(({ target }) => target === base);
  const bars = ordered.map((series, index) => {
    const y = top + titleHeight + index * (barHeight + gap);
    const length = Math.max(2, (cpuOf(series) / longest) * (width - left - 150));
    const factor = unit ? ` (${formatNumber(compare(series, unit, 'cpuMicros').median)} ×)` : '';
    return `  <text x="${left - 12}" y="${y + 15}" text-anchor="end">${escape(targetTitles[series.target])}</text>
  <rect class="${series.target === 'service' ? 'ours' : 'bar'}" x="${left}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" rx="3"/>
  <text x="${(left + length + 8).toFixed(1)}" y="${y + 15}">${Math.round(cpuOf(series)).toLocaleString('en')} µs${factor}</text>`;
  });
  return `  <text class="title" x="16" y="${top + 28}">${escape(title)}</text>\n${bars.join('\n')}`;
}

const heightOf = (bars: number): number => titleHeight + bars * (barHeight + gap) + 10;

export function drawSvg({ series }: Run): string {
  const rows = rowsOf(series.filter(({ engine }) => engine === 'sqlite'));
  const drawn: string[] = [];
  let top = 0;
  for (const { row, size, base } of charts) {
    const found = rows.find(([first]) => first?.row === row && first.size === size);
    if (!found) continue;
    drawn.push(drawChart(`${titleOf(row)}, ${size} orders`, found, base, top));
    top += heightOf(found.length);
  }
  for (const caption of captions) {
    drawn.push(`  <text class="quiet" x="16" y="${top + 18}">${caption}</text>`);
    top += 18;
  }
  return drawFile(width, top + 16, label, drawn.join('\n'));
}

export const drawFile = (
  width: number,
  height: number,
  label: string,
  body: string,
): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(label)}">
  <style>${style}
  </style>
  <rect class="ground" width="${width}" height="${height}" rx="8"/>
${body}
</svg>
`;
