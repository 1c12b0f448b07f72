import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Chart, type ChartStep } from './chart.tsx';
import { Card, Figure, Figures, Tabs } from './components.tsx';
import { formatMoney, formatNumber, formatPercent, formatRange, formatShortMoney, formatShortNumber } from './format.ts';
import { Loaded, useLoad } from './load.tsx';
import { type Interval, type Range, RangeChoice, readRange } from './range.tsx';
import { getChoice, hrefWith } from './router.ts';

interface Totals {
  readonly orders_count: number;
  readonly total_sales: number;
  readonly total_commission: number;
  readonly clicks?: number;
}

type Step = Totals & Pick<ChartStep, 'from' | 'to'>;

export interface SalesStats {
  readonly totals: Totals;
  readonly series?: readonly Step[];
}

interface Metric {
  readonly name: string;
  readonly isMoney: boolean;
  readonly valueOf: (totals: Totals) => number | undefined;
}

const metrics: Record<string, Metric> = {
  sales: { name: 'Sales', isMoney: true, valueOf: ({ total_sales }) => total_sales },
  commission: { name: 'Commission', isMoney: true, valueOf: ({ total_commission }) => total_commission },
  orders: { name: 'Orders', isMoney: false, valueOf: ({ orders_count }) => orders_count },
  clicks: { name: 'Clicks', isMoney: false, valueOf: ({ clicks }) => clicks },
};

interface ResultsProps {
  title: string;
  range: Range;
  now: SalesStats;
  /** The period before, as soon as it is loaded. */
  before: SalesStats | undefined;
  /** More figures beside the totals. */
  children?: ComponentChildren;
}

/** Totals of a range, each with its change against the period before, and a chart of one of them. */
export function Results({ title, range, now: { totals, series = [] }, before, children }: ResultsProps) {
  const shown = Object.entries(metrics).filter(([, { valueOf }]) => valueOf(totals) !== undefined);
  const chosen = getChoice('chart', metrics);
  const [name, metric] = shown.find(([key]) => key === chosen) ?? shown[0] ?? [];
  const tabs = shown.map(([key, { name: text }]) => ({
    text,
    href: hrefWith({ chart: key === 'sales' ? null : key }),
    isCurrent: key === name,
  }));
  return (
    <Card title={title} actions={<RangeChoice />}>
      <Figures>
        {shown.map(([key, { name, isMoney, valueOf }]) => {
          const value = valueOf(totals) ?? 0;
          return (
            <Figure
              key={key}
              name={name}
              value={isMoney ? formatMoney(value) : formatNumber(value)}
              note={<Trend range={range} now={value} then={before && valueOf(before.totals)} />}
            />
          );
        })}
        {children}
      </Figures>
      <Tabs label="Chart" items={tabs} />
      {metric && <MetricChart metric={metric} series={series} before={before?.series} />}
      {range.before && (
        <p class="small quiet">
          <span class="dash" aria-hidden="true" /> Changes compare with the period before: {formatRange(range.before.from, range.before.to)}
          .
        </p>
      )}
    </Card>
  );
}

function Trend({ range, now, then }: { range: Range; now: number; then: number | undefined }) {
  if (!range.before) return <>all time</>;
  return then === undefined ? <> </> : <Change now={now} then={then} />;
}

interface SalesProps {
  title: string;
  /** The statistics of an affiliate or of a coupon. */
  load: (query: { from?: string; to?: string; interval?: Interval }) => Promise<SalesStats>;
  /** Changes with what `load` loads. */
  of: string;
  /** Called with the first figures, so that other parts of the page load after them. */
  onShown?: () => void;
}

/** The results of an affiliate or of a coupon in the range of the address. */
export function Sales({ title, load, of, onShown }: SalesProps) {
  const range = readRange();
  const stats = useLoad(() => load({ ...range.days, interval: range.interval }), [of, range.key]);
  // After the first chart, so that it does not wait for it.
  const isShown = stats.value !== undefined;
  useEffect(() => void (stats.isLoading || onShown?.()), [stats.isLoading]);
  const before = useLoad(isShown && range.before ? () => load({ ...range.before, interval: range.interval }) : null, [
    of,
    range.key,
    isShown,
  ]);
  return <Loaded from={stats}>{(now) => <Results title={title} range={range} now={now} before={before.current} />}</Loaded>;
}

interface MetricChartProps {
  metric: Metric;
  series: readonly Step[];
  before: readonly Step[] | undefined;
}

function MetricChart({ metric: { name, isMoney, valueOf }, series, before = [] }: MetricChartProps) {
  const then = before.map((step) => valueOf(step) ?? 0);
  const steps = series.map((step) => ({ from: step.from, to: step.to, value: valueOf(step) ?? 0 }));
  if (!isMoney) return <CountChart name={name} steps={steps} before={then} />;
  return <Chart key={name} name={name} steps={steps} before={then} format={formatMoney} formatShort={formatShortMoney} />;
}

export const CountChart = ({ name, steps, before }: { name: string; steps: readonly ChartStep[]; before: readonly number[] }) => (
  <Chart
    key={name}
    name={name}
    steps={steps}
    before={before}
    format={formatNumber}
    formatShort={(value) => (Number.isInteger(value) ? formatShortNumber(value) : '')}
  />
);

/** Growth from nothing has no percentage, and from next to nothing none that helps. */
export function Change({ now, then }: { now: number; then: number }) {
  if (now === then || (then > 0 && Math.abs(now - then) / then < 0.0005)) return <span>no change</span>;
  return now > then ? <span class="good">▲ {describeChange(now, then)}</span> : <span class="bad">▼ {describeChange(now, then)}</span>;
}

function describeChange(now: number, then: number): string {
  if (then <= 0) return 'from nothing';
  return now > then * 10
    ? `${formatNumber(Math.round(now / then))} times as much`
    : formatPercent(Math.round((Math.abs(now - then) / then) * 1000) / 10);
}
