import { type Figure, median, type Run } from '../figures.ts';
import { type TargetName, targetTitles } from '../targets.ts';
import { decimals, ratioToFloor, titleOf } from './tables.ts';

// Both looks in one file: the picture stands in a README that may be read on white or on black.
const style = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2933; }
  .title { font-size: 15px; font-weight: 600; }
  .quiet { fill: #66727f; font-size: 12px; }
  .bar { fill: #b8c2cc; }
  .ours { fill: #2563eb; }
  .line { stroke: #d5dbe1; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e9ec; }
    .quiet { fill: #9aa5b1; }
    .bar { fill: #4b5763; }
    .ours { fill: #60a5fa; }
    .line { stroke: #333d47; }
  }`;

const width = 760;
const left = 340;
const barHeight = 20;
const gap = 8;
const titleHeight = 46;

interface Bar {
  label: string;
  ratio: number;
  perSecond: number;
  isOurs: boolean;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The rows that the picture shows, where the run has them: the largest data set that was measured. */
const shown = ['coupon', 'coupon-alone', 'orders-last'];

function barsOf(figures: readonly Figure[], row: string): { size: string; bars: Bar[] } | null {
  const ofRow = figures.filter((figure) => figure.row === row && figure.engine === 'sqlite');
  const size = row === 'orders-last' ? ofRow.at(-1)?.size : ofRow[0]?.size;
  if (size === undefined) return null;
  const bars = ofRow
    .filter((figure) => figure.size === size)
    .map((figure) => ({
      label: targetTitles[figure.target as TargetName] ?? figure.target,
      ratio: ratioToFloor(figures, figure),
      perSecond: median(figure.perSecond),
      isOurs: figure.target === 'service',
    }));
  return { size, bars: bars.toSorted((one, other) => other.ratio - one.ratio) };
}

function chartOf(title: string, bars: readonly Bar[], top: number): string {
  const longest = Math.max(...bars.map(({ ratio }) => ratio));
  const room = width - left - 150;
  const rows = bars.map(({ label, ratio, perSecond, isOurs }, index) => {
    const y = top + titleHeight + index * (barHeight + gap);
    const length = Math.max(2, (ratio / longest) * room);
    const figure = `${decimals(ratio)}  (${Math.round(perSecond).toLocaleString('en')}/s)`;
    return `  <text x="${left - 12}" y="${y + 15}" text-anchor="end">${escaped(label)}</text>
  <rect class="${isOurs ? 'ours' : 'bar'}" x="${left}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" rx="3"/>
  <text x="${(left + length + 8).toFixed(1)}" y="${y + 15}">${escaped(figure)}</text>`;
  });
  return `  <text class="title" x="16" y="${top + 28}">${escaped(title)}</text>\n${rows.join('\n')}`;
}

const heightOf = (bars: readonly Bar[]): number => titleHeight + bars.length * (barHeight + gap) + 10;

export function svgOf({ figures }: Run): string {
  let top = 0;
  const charts: string[] = [];
  for (const row of shown) {
    const found = barsOf(figures, row);
    if (!found) continue;
    charts.push(chartOf(`${titleOf(row)} (${found.size} orders)`, found.bars, top));
    top += heightOf(found.bars);
  }
  const height = top + 34;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Requests per second of each target, as a part of the floor">
  <style>${style}
  </style>
${charts.join('\n')}
  <line class="line" x1="${left - 4}" y1="${titleHeight - 8}" x2="${left - 4}" y2="${Math.max(top - 8, titleHeight)}"/>
  <text class="quiet" x="16" y="${top + 18}">Requests per second as a part of what a bare server does; one process on one core, SQLite. npm run bench</text>
</svg>
`;
}
