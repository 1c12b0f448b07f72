import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { Icon } from './components.tsx';
import { downloadCsv } from './csv.ts';
import { formatMonth, formatRange, formatShortDay, secondsOf } from './format.ts';
import { dark } from './theme.ts';

export interface ChartStep {
  /** Days, both included. */
  readonly from: string;
  readonly to: string;
  readonly value: number;
}

interface ChartProps {
  name: string;
  steps: readonly ChartStep[];
  /** The period before, step by step, as a quiet line. */
  before?: readonly number[];
  format: (value: number) => string;
  formatShort: (value: number) => string;
}

/** A bar for each step. The same figures are in a table below, for reading and as a file. */
export function Chart({ name, steps, before = [], format, formatShort }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (!box.current || !tip.current || steps.length === 0) return;
    return drawChart(box.current, tip.current, { name, steps, before, format, formatShort });
  }, [steps, before.length, dark.value]);
  if (steps.length === 0) return <p class="empty">There are no figures for this range.</p>;
  const total = steps.reduce((sum, { value }) => sum + value, 0);
  return (
    <figure class="chart">
      <div
        class="chart-box"
        ref={box}
        role="img"
        aria-label={`${name} as a chart. The figures are in the table below. Sum: ${format(total)}`}
      />
      <p class="chart-tip" ref={tip} aria-hidden="true" />
      <details>
        <summary>Figures as a table</summary>
        <div class="table-tools">
          <button
            type="button"
            class="plain"
            aria-label={`Download ${name} as CSV`}
            onClick={() => downloadCsv(name, [['From', 'To', name], ...steps.map(({ from, to, value }) => [from, to, value])])}
          >
            <Icon name="download" />
            CSV
          </button>
        </div>
        <table aria-label={name} class="short">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col" class="number">
                {name}
              </th>
            </tr>
          </thead>
          <tbody>
            {steps.map(({ from, to, value }) => (
              <tr key={from}>
                <td data-title="Time">{formatRange(from, to)}</td>
                <td data-title={name} class="number">
                  {format(value)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** Returns a function that removes the chart. */
function drawChart(box: HTMLElement, tip: HTMLElement, { steps, before = [], format, formatShort }: ChartProps): () => void {
  // The style sheet decides: the colours of the box are those of bars, lines, text and the period before.
  const { color: bars, outlineColor: text, borderTopColor: lines, caretColor: past, fontFamily } = getComputedStyle(box);
  const isLong = steps.length > 1 && secondsOf(steps.at(-1)?.from ?? '') - secondsOf(steps[0]?.from ?? '') > 200 * 86_400;
  const axis = { stroke: text, font: `12px ${fontFamily}`, ticks: { show: false }, grid: { stroke: lines, width: 1 } };
  const indexes = steps.map((_, index) => index);
  const labelOf = (index: number): string => {
    const step = steps[Math.round(index)];
    return step ? (isLong ? formatMonth : formatShortDay)(secondsOf(step.from)) : '';
  };
  const showTip = ({ cursor }: uPlot): void => {
    const index = cursor.idx ?? -1;
    const [step, then] = [steps[index], before[index]];
    const compared = then === undefined ? '' : `, the period before: ${format(then)}`;
    tip.textContent = step ? `${formatRange(step.from, step.to)}: ${format(step.value)}${compared}` : '';
  };
  const barPaths = uPlot.paths.bars?.({ size: [0.72, 36], radius: 0.15 });
  const chart = new uPlot(
    {
      width: box.clientWidth,
      height: 240,
      padding: [12, 8, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
      scales: {
        x: { time: false, range: [-0.6, steps.length - 0.4] },
        y: { range: (_, min, max) => [Math.min(0, min), max > 0 ? max * 1.05 : 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          values: (_, splits) => splits.map((at) => (Number.isInteger(at) ? labelOf(at) : '')),
          space: 72,
          size: 36,
          gap: 10,
        },
        { ...axis, values: (_, splits) => splits.map(formatShort), size: 64 },
      ],
      series: [
        {},
        { fill: bars, width: 0, ...(barPaths && { paths: barPaths }), points: { show: false } },
        { stroke: past, width: 2, dash: [4, 4], points: { show: false } },
      ],
      hooks: { setCursor: [showTip] },
    },
    [indexes, steps.map(({ value }) => value), indexes.map((index) => before[index] ?? null)],
    box,
  );
  const observer = new ResizeObserver(() => box.clientWidth > 0 && chart.setSize({ width: box.clientWidth, height: 240 }));
  observer.observe(box);
  return () => {
    observer.disconnect();
    chart.destroy();
  };
}
