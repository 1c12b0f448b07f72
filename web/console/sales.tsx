import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Chart, type ChartStep } from './chart.tsx';
import { Card, Figure, Figures, Tabs } from './components.tsx';
import { formatMoney, formatNumber, formatPercent, formatRange, formatShortMoney, formatShortNumber } from './format.ts';
import { Loaded, useLoad } from './load.tsx';
import { type Interval, RangeChoice, readRange } from './range.tsx';
import type { SalesStep } from './records.ts';
import { getQuery, hrefWith } from './router.ts';
import { api, isServed } from './session.ts';

interface Totals {
  readonly orders_count: number;
  readonly total_sales: number;
  readonly total_commission: number;
}

export interface SalesStats {
  readonly totals: Totals;
  readonly series?: readonly SalesStep[];
}

interface SalesProps {
  title: string;
  /** The statistics of an affiliate or of a coupon. */
  load: (query: { from?: string; to?: string; interval?: Interval }) => Promise<SalesStats>;
  /** Changes with what `load` loads. */
  of: string;
  /** Clicks are counted by coupon: one request for each. */
  couponIds: readonly number[];
  /** Called with the first figures, so that other parts of the page load after them. */
  onShown?: () => void;
  children?: ComponentChildren;
}

const countedCoupons = 10;

const metrics = {
  sales: { name: 'Sales', isMoney: true, valueOf: (step: SalesStep) => step.total_sales },
  commission: { name: 'Commission', isMoney: true, valueOf: (step: SalesStep) => step.total_commission },
  orders: { name: 'Orders', isMoney: false, valueOf: (step: SalesStep) => step.orders_count },
};

/** Figures of a range, each with its change against the period before, and a chart of one of them. */
export function Sales({ title, load, of, couponIds, onShown, children }: SalesProps) {
  const range = readRange();
  const stats = useLoad(() => load({ ...range.days, interval: range.interval }), [of, range.key]);
  // After the first chart, so that it does not wait for them.
  const isShown = stats.value !== undefined;
  useEffect(() => void (stats.isLoading || onShown?.()), [stats.isLoading]);
  const before = useLoad(isShown && range.before ? () => load({ ...range.before }) : null, [of, range.key, isShown]);
  const hasClicks = isServed('get_clicks_stats') && couponIds.length > 0;
  const counted = couponIds.slice(0, countedCoupons);
  const clicks = useLoad(isShown && hasClicks ? () => loadClicks(counted, { ...range.days, interval: range.interval }) : null, [
    counted,
    range.key,
    isShown,
  ]);
  const clicksBefore = useLoad(isShown && hasClicks && range.before ? () => loadClicks(counted, { ...range.before }) : null, [
    counted,
    range.key,
    isShown,
  ]);
  const metric = getQuery('chart') || 'sales';
  const names = [
    ...Object.entries(metrics).map(([key, { name }]) => [key, name] as const),
    ...(hasClicks ? [['clicks', 'Clicks'] as const] : []),
  ];
  const tabs = names.map(([key, text]) => ({ text, href: hrefWith({ chart: key === 'sales' ? null : key }), isCurrent: key === metric }));
  const note = (now: number, then: number | undefined) =>
    range.before && then !== undefined ? <Change now={now} then={then} /> : range.before ? ' ' : 'since the beginning';
  return (
    <Card title={title} actions={<RangeChoice />}>
      <Loaded from={stats}>
        {({ totals, series = [] }) => (
          <>
            <Figures>
              <Figure
                name="Sales"
                value={formatMoney(totals.total_sales)}
                note={note(totals.total_sales, before.value?.totals.total_sales)}
              />
              <Figure
                name="Commission"
                value={formatMoney(totals.total_commission)}
                note={note(totals.total_commission, before.value?.totals.total_commission)}
              />
              <Figure
                name="Orders"
                value={formatNumber(totals.orders_count)}
                note={note(totals.orders_count, before.value?.totals.orders_count)}
              />
              {hasClicks && (
                <Figure
                  name="Clicks"
                  value={clicks.value ? formatNumber(clicks.value.clicks) : clicks.error === undefined ? '…' : '–'}
                  note={clicks.value && note(clicks.value.clicks, clicksBefore.value?.clicks)}
                />
              )}
            </Figures>
            <Tabs label="Chart" items={tabs} />
            {metric === 'clicks' && hasClicks ? (
              <Loaded from={clicks}>{({ series }) => <CountChart name="Clicks" steps={series} />}</Loaded>
            ) : (
              <MetricChart metric={Object.hasOwn(metrics, metric) ? (metric as keyof typeof metrics) : 'sales'} series={series} />
            )}
            {range.before && (
              <p class="small quiet">Changes are against the period before: {formatRange(range.before.from, range.before.to)}.</p>
            )}
            {couponIds.length > countedCoupons && hasClicks && (
              <p class="small quiet">Clicks are those of the newest {countedCoupons} coupons.</p>
            )}
          </>
        )}
      </Loaded>
      {children}
    </Card>
  );
}

function MetricChart({ metric, series }: { metric: keyof typeof metrics; series: readonly SalesStep[] }) {
  const { name, isMoney, valueOf } = metrics[metric];
  const steps = series.map((step) => ({ from: step.from, to: step.to, value: valueOf(step) }));
  if (!isMoney) return <CountChart name={name} steps={steps} />;
  return <Chart key={name} name={name} steps={steps} format={formatMoney} formatShort={formatShortMoney} />;
}

export const CountChart = ({ name, steps }: { name: string; steps: readonly ChartStep[] }) => (
  <Chart
    key={name}
    name={name}
    steps={steps}
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

interface Clicks {
  clicks: number;
  series: ChartStep[];
}

/** The clicks of several coupons together. */
async function loadClicks(couponIds: readonly number[], query: { from?: string; to?: string; interval?: Interval }): Promise<Clicks> {
  const all = await Promise.all(couponIds.map((coupon_id) => api.clicks.stats({ coupon_id, ...query })));
  const byStep = new Map<string, ChartStep>();
  for (const { from, to, clicks } of all.flatMap(({ series = [] }) => series))
    byStep.set(from, { from, to, value: (byStep.get(from)?.value ?? 0) + clicks });
  const series = [...byStep.values()].sort((one, other) => one.from.localeCompare(other.from));
  return { clicks: all.reduce((sum, { clicks }) => sum + clicks, 0), series };
}
