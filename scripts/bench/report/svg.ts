import type { SizeName } from '../dataset/sizes.ts';
import { type Figure, median, type Run } from '../figures.ts';
import { type TargetName, targetTitles } from '../targets.ts';
import { decimals, titleOf } from './tables.ts';

// Both looks in one file, each with its own ground: the page around it may be light where the reader's system is dark.
const style = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2933; }
  .title { font-size: 15px; font-weight: 600; }
  .quiet { fill: #66727f; font-size: 12px; }
  .bar { fill: #b8c2cc; }
  .ours { fill: #2563eb; }
  .line { stroke: #d5dbe1; }
  .ground { fill: #ffffff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e9ec; }
    .quiet { fill: #9aa5b1; }
    .bar { fill: #4b5763; }
    .ours { fill: #60a5fa; }
    .line { stroke: #333d47; }
    .ground { fill: #14191f; }
  }`;

const width = 800;
const left = 360;
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

interface Chart {
  row: string;
  /** What the others are measured by. */
  base: TargetName;
  size: SizeName;
}

/** What the picture shows, as far as the run has it. */
const shown: readonly Chart[] = [
  { row: 'coupon', base: 'floor', size: '1k' },
  { row: 'coupon-alone', base: 'floor', size: '1k' },
  { row: 'orders-last', base: 'fastify-offset', size: '2m' },
];

/** The fastest first. The floor stands only where it is the measure. */
function barsOf(figures: readonly Figure[], { row, base, size }: Chart): Bar[] {
  const ofRow = figures.filter((figure) => figure.row === row && figure.engine === 'sqlite' && figure.size === size);
  const measure = ofRow.find(({ target }) => target === base);
  if (!measure) return [];
  const bars = ofRow
    .filter(({ target }) => target === base || target !== 'floor')
    .map(({ target, perSecond }) => ({
      label: targetTitles[target as TargetName] ?? target,
      ratio: median(perSecond) / median(measure.perSecond),
      perSecond: median(perSecond),
      isOurs: target === 'service',
    }));
  return bars.toSorted((one, other) => other.ratio - one.ratio);
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
  for (const chart of shown) {
    const bars = barsOf(figures, chart);
    if (bars.length === 0) continue;
    charts.push(chartOf(`${titleOf(chart.row)}, ${chart.size} orders`, bars, top));
    top += heightOf(bars);
  }
  const height = top + 34;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Requests per second of the service and of others that do the same job">
  <style>${style}
  </style>
  <rect class="ground" width="${width}" height="${height}" rx="8"/>
${charts.join('\n')}
  <line class="line" x1="${left - 4}" y1="${titleHeight - 8}" x2="${left - 4}" y2="${Math.max(top - 8, titleHeight)}"/>
  <text class="quiet" x="16" y="${top + 18}">Requests per second, and how many times those of the bare server (pages: of Fastify). One process on one core, SQLite.</text>
</svg>
`;
}
