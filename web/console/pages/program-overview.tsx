import { Card, Figure, PageHead, PoolFigures } from '../components.tsx';
import { countOf, formatMoney, formatNumber, formatPercent, sumOf } from '../format.ts';
import { AffiliateLink } from '../links.tsx';
import { Loaded, useLoad } from '../load.tsx';
import { readRange } from '../range.tsx';
import type { ReportSummary } from '../records.ts';
import { Results, type SalesStats } from '../sales.tsx';
import { api, getMe, isServed } from '../session.ts';
import { boldMoney, type Column, columnsOf, loadWhole, Table } from '../table.tsx';
import { FirstSteps } from './first-steps.tsx';

/** Results and what waits for a decision; for a program without orders, the steps to the first one. */
export function ProgramOverview() {
  const range = readRange();
  const report = useLoad(() => api.reports.summary({ ...range.days, interval: range.interval, top: 10 }), [range.key]);
  const isEmpty = report.value !== undefined && report.value.totals.orders_count === 0 && report.value.balances.total === 0;
  const hasResults = report.value !== undefined && !isEmpty;
  const before = useLoad(
    hasResults && range.before ? () => api.reports.summary({ ...range.before, interval: range.interval, top: 0 }) : null,
    [range.key, hasResults],
  );
  return (
    <>
      {isEmpty ? (
        <PageHead title="Set up your program" lead={`Welcome, ${getMe().user.display_name}. A few steps lead to the first order.`} />
      ) : (
        <PageHead title="Overview" lead="The whole program at a glance." />
      )}
      <Loaded from={report}>
        {(now) =>
          isEmpty ? (
            <FirstSteps report={now} />
          ) : (
            <div class="stack">
              <Results title="Results" range={range} now={toStats(now)} before={before.current && toStats(before.current)}>
                <Figure name="Conversion rate" value={formatPercent(now.clicks.conversion_rate)} note={describeConversion(now)} />
              </Results>
              <div class="columns">
                <Waiting report={now} />
                <Owed report={now} />
              </div>
              <TopAffiliates list={now.top_affiliates} />
            </div>
          )
        }
      </Loaded>
    </>
  );
}

const toStats = ({ totals, clicks, series }: ReportSummary): SalesStats => ({
  totals: { ...totals, clicks: clicks.clicks },
  ...(series && { series }),
});

/** Orders and clicks do not divide to the rate: most orders come by a code, without a click. */
const describeConversion = ({ totals, clicks }: ReportSummary): string =>
  `${formatNumber(clicks.conversions)} orders came from clicks, ${formatNumber(Math.max(0, totals.orders_count - clicks.conversions))} by a coupon code`;

function Waiting({ report }: { report: ReportSummary }) {
  const hasRisk = isServed('get_risk_signals');
  const risk = useLoad(hasRisk ? () => api.risk.signals({ status: 'open', per_page: 1 }) : null, []);
  // In place of them: a page begins with four calls at most.
  const webhooks = useLoad(isServed('get_webhooks') && !hasRisk ? () => api.webhooks.list({ per_page: 100 }) : null, []);
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
      href: '/console/program/payouts',
      isShown: isServed('get_payouts'),
      note: payouts ? `${formatMoney(payouts.pending_amount)}, requested or on its way` : '',
    },
    {
      note: 'look before the next payouts',
      count: risk.value?.total ?? 0,
      one: 'risk signal',
      href: '/console/risk',
      isShown: hasRisk,
    },
    { note: '', count: disabled, one: 'disabled webhook', href: '/console/webhooks', isShown: isServed('get_webhooks') },
  ].filter(({ count, isShown }) => isShown && count > 0);
  // Not the sum of all balances: one below zero hides what others can be paid.
  const run = useLoad(isServed('post_payout_runs') ? () => api.payoutRuns.create({ preview: true }) : null, []);
  const payable = run.value?.requested_count ?? 0;
  const unknown = run.value?.outcomes.filter(({ code }) => code === 'svc_api_no_payout_details') ?? [];
  return (
    <Card title="Waiting for you">
      {items.length === 0 && payable === 0 && unknown.length === 0 && !run.isLoading && <p class="quiet">Nothing waits for a decision.</p>}
      <ul class="waiting-list">
        {items.map(({ count, one, href, note }) => (
          <li key={one}>
            <a href={href}>
              <span>
                <b>{formatNumber(count)}</b> {one}
                {count === 1 ? '' : 's'}
              </span>
            </a>
            {note && <span class="small quiet">{note}</span>}
          </li>
        ))}
        {payable > 0 && (
          <li>
            <a href="/console/program/payday">Pay affiliates</a>
            <span class="small quiet">{formatMoney(run.value?.requested_amount ?? 0)} can be paid now</span>
          </li>
        )}
        {unknown.length > 0 && (
          <li>
            <a href="/console/program/payday?show=refused">
              {countOf(unknown.length, 'coupons')} cannot be paid: payout details are missing
            </a>
            <span class="small quiet">{formatMoney(sumOf(unknown, ({ amount }) => amount))}</span>
          </li>
        )}
      </ul>
    </Card>
  );
}

const Owed = ({ report: { totals } }: { report: ReportSummary }) => (
  <Card title="Commission">
    <PoolFigures of={totals} />
    <p class="small quiet">
      {formatNumber(totals.affiliates)} affiliates have {formatNumber(totals.coupons)} published coupons.
    </p>
  </Card>
);

type TopAffiliate = ReportSummary['top_affiliates'][number];

const column = columnsOf<TopAffiliate>();

const topColumns: readonly Column<TopAffiliate>[] = [
  {
    title: 'Affiliate',
    cell: ({ user_id, user }) => <AffiliateLink id={user_id} name={user.display_name} />,
    csv: ({ user }) => user.display_name,
    place: 'name',
  },
  column('Orders', 'orders_count', formatNumber, { isNumber: true }),
  column('Sales', 'total_sales', formatMoney, { isNumber: true, place: 'detail' }),
  column('Commission', 'total_commission', boldMoney, { isNumber: true, place: 'value' }),
];

const TopAffiliates = ({ list }: { list: readonly TopAffiliate[] }) => (
  <Card title="Top affiliates" actions={isServed('get_affiliates') && <a href="/console/affiliates">All affiliates →</a>}>
    <Table
      name="Top affiliates"
      columns={topColumns}
      load={loadWhole(list)}
      keys={[JSON.stringify(list)]}
      keyOf={({ user_id }) => user_id}
      prefix="top_"
      empty="No affiliate earned commission in this range."
    />
  </Card>
);
