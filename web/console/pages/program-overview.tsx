import { Chart } from '../chart.tsx';
import { Card, Figure, Figures, PageHead, Tabs } from '../components.tsx';
import { addDays, formatMoney, formatNumber, formatPercent, formatShortMoney, today } from '../format.ts';
import { AffiliateLink } from '../links.tsx';
import { Loaded, useLoad } from '../load.tsx';
import { RangeChoice, readRange } from '../range.tsx';
import type { ReportSummary } from '../records.ts';
import { getChoice, hrefWith } from '../router.ts';
import { Change, CountChart } from '../sales.tsx';
import { api, isServed } from '../session.ts';
import { boldMoney, type Column, columnsOf, loadWhole, Table } from '../table.tsx';

/** What waits for a decision, then the figures of the whole program. */
export function ProgramOverview() {
  const range = readRange();
  const report = useLoad(() => api.reports.summary({ ...range.days, top: 10 }), [range.key]);
  const isShown = report.value !== undefined;
  const before = useLoad(isShown && range.before ? () => api.reports.summary({ ...range.before, top: 0 }) : null, [range.key, isShown]);
  return (
    <>
      <PageHead title="Overview" lead="The whole program at a glance." />
      <Loaded from={report}>
        {(now) => (
          <>
            <Waiting report={now} />
            <Card title="Results" actions={<RangeChoice />}>
              <ReportFigures now={now} before={before.value} />
            </Card>
          </>
        )}
      </Loaded>
      <TwelveMonths />
      <Loaded from={report}>{({ top_affiliates }) => <BestAffiliates list={top_affiliates} />}</Loaded>
    </>
  );
}

function Waiting({ report }: { report: ReportSummary }) {
  const webhooks = useLoad(isServed('get_webhooks') ? () => api.webhooks.list({ per_page: 100 }) : null, []);
  const disabled = webhooks.value?.items.filter(({ status }) => status === 'disabled').length ?? 0;
  const { pending_registrations: applications, payouts } = report;
  const items = [
    {
      note: '',
      count: applications,
      one: 'application',
      href: '/console/applications?status=pending',
      isShown: isServed('get_registrations'),
    },
    {
      count: payouts?.pending_count ?? 0,
      one: 'open payout',
      href: '/console/program/payouts?status=pending',
      isShown: isServed('get_payouts'),
      note: payouts ? `${formatMoney(payouts.pending_amount)}, requested or on the way` : '',
    },
    { note: '', count: disabled, one: 'disabled webhook', href: '/console/webhooks', isShown: isServed('get_webhooks') },
  ].filter(({ count, isShown }) => isShown && count > 0);
  return (
    <Card title="Waiting for you">
      {items.length === 0 ? (
        <p class="quiet">Nothing waits for a decision.</p>
      ) : (
        <ul class="waiting-list">
          {items.map(({ count, one, href, note }) => (
            <li key={one}>
              <a href={href}>
                <b>{formatNumber(count)}</b> {one}
                {count === 1 ? '' : 's'}
              </a>{' '}
              {note && <span class="quiet">{note}</span>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function ReportFigures({ now: { totals, clicks }, before }: { now: ReportSummary; before: ReportSummary | undefined }) {
  const change = (value: number, then: number | undefined) => then !== undefined && <Change now={value} then={then} />;
  return (
    <>
      <Figures>
        <Figure name="Sales" value={formatMoney(totals.total_sales)} note={change(totals.total_sales, before?.totals.total_sales)} />
        <Figure
          name="Commission"
          value={formatMoney(totals.total_commission)}
          note={change(totals.total_commission, before?.totals.total_commission)}
        />
        <Figure name="Orders" value={formatNumber(totals.orders_count)} note={change(totals.orders_count, before?.totals.orders_count)} />
        <Figure name="Clicks" value={formatNumber(clicks.clicks)} note={change(clicks.clicks, before?.clicks.clicks)} />
        <Figure name="Orders per click" value={formatPercent(clicks.conversion_rate)} note="how often a click became an order" />
      </Figures>
      <Figures>
        <Figure name="Available" value={formatMoney(totals.unpaid_commission)} note="affiliates can request it now" />
        <Figure name="Being cleared" value={formatMoney(totals.pending_order_commission)} note="in the time for returns" />
        <Figure name="Requested" value={formatMoney(totals.pending_payout_commission)} note="in payouts that are not paid yet" />
        <Figure name="Paid" value={formatMoney(totals.paid_commission)} note="since the beginning" />
        <Figure name="Affiliates" value={formatNumber(totals.affiliates)} note={`with ${formatNumber(totals.coupons)} published coupons`} />
      </Figures>
    </>
  );
}

interface Month {
  readonly from: string;
  readonly to: string;
}

/** The current month and the eleven before it. */
function listMonths(): Month[] {
  const [year = 0, month = 1] = today().split('-').map(Number);
  return Array.from({ length: 12 }, (_, index) => {
    const first = (offset: number): string => new Date(Date.UTC(year, month - 12 + index + offset, 1)).toISOString().slice(0, 10);
    const last = addDays(first(1), -1);
    return { from: first(0), to: last < today() ? last : today() };
  });
}

const clickCharts = { clicks: 'Clicks', conversions: 'Orders from clicks' } as const;
const salesCharts = { sales: 'Sales', commission: 'Commission' } as const;

/** Clicks come as one series. The report has no series: sales are read month by month, when they are shown. */
function TwelveMonths() {
  const charts = isServed('get_clicks_stats') ? { ...clickCharts, ...salesCharts } : salesCharts;
  const [first = 'sales'] = Object.keys(charts) as (keyof typeof clickCharts | keyof typeof salesCharts)[];
  const shown = getChoice('chart', charts) ?? first;
  const isSales = shown === 'sales' || shown === 'commission';
  const months = listMonths();
  const from = months[0]?.from ?? today();
  const clicks = useLoad(isSales ? null : () => api.clicks.stats({ from, to: today(), interval: 'month' }), [isSales]);
  const sales = useLoad(
    isSales
      ? () => Promise.all(months.map((month) => api.reports.summary({ ...month, top: 0 }).then(({ totals }) => ({ ...month, totals }))))
      : null,
    [isSales],
  );
  const tabs = Object.entries(charts).map(([key, text]) => ({
    text,
    href: hrefWith({ chart: key === first ? null : key }),
    isCurrent: key === shown,
  }));
  return (
    <Card title="Twelve months" actions={<Tabs label="Chart" items={tabs} />}>
      {isSales ? (
        <Loaded from={sales}>
          {(list) => (
            <Chart
              key={shown}
              name={salesCharts[shown]}
              steps={list.map(({ from, to, totals }) => ({
                from,
                to,
                value: shown === 'sales' ? totals.total_sales : totals.total_commission,
              }))}
              format={formatMoney}
              formatShort={formatShortMoney}
            />
          )}
        </Loaded>
      ) : (
        <Loaded from={clicks}>
          {({ series = [] }) => (
            <CountChart name={clickCharts[shown]} steps={series.map((step) => ({ from: step.from, to: step.to, value: step[shown] }))} />
          )}
        </Loaded>
      )}
    </Card>
  );
}

type BestAffiliate = ReportSummary['top_affiliates'][number];

const column = columnsOf<BestAffiliate>();

const bestColumns: readonly Column<BestAffiliate>[] = [
  {
    title: 'Affiliate',
    cell: ({ user_id, user }) => <AffiliateLink id={user_id} name={user.display_name} />,
    csv: ({ user }) => user.display_name,
  },
  column('Orders', 'orders_count', formatNumber, { isNumber: true }),
  column('Sales', 'total_sales', formatMoney, { isNumber: true }),
  column('Commission', 'total_commission', boldMoney, { isNumber: true }),
];

const BestAffiliates = ({ list }: { list: readonly BestAffiliate[] }) => (
  <Card title="Best affiliates of the range">
    <Table
      name="Best affiliates"
      columns={bestColumns}
      load={loadWhole(list)}
      keys={[JSON.stringify(list)]}
      keyOf={({ user_id }) => user_id}
      prefix="best_"
      empty="No affiliate earned commission in this range."
    />
  </Card>
);
