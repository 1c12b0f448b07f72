import { Card, Figure, Figures, Name, PageHead, SearchField, Tabs } from '../components.tsx';
import { formatNumber, formatPercent } from '../format.ts';
import { Loaded, useLoad } from '../load.tsx';
import { type Interval, type Range, RangeChoice, readRange } from '../range.tsx';
import type { ClickStats } from '../records.ts';
import { getChoice, getQuery, hrefWith, setTyped } from '../router.ts';
import { Change, CountChart } from '../sales.tsx';
import { api, getMe, isServed } from '../session.ts';
import { CouponChoice, NoCoupon, readOwnCoupon } from './own-orders.tsx';

/** Clicks over all coupons, where the site serves them; else those of one coupon. */
export function OwnClicks() {
  const { user, coupons } = getMe();
  const hasAll = isServed('get_affiliates_id_clicks');
  const couponId = readOwnCoupon() ?? (hasAll ? undefined : coupons[0]?.id);
  return (
    <>
      <PageHead title="Clicks" lead="Visits of the shop through your links, and what came of them." />
      {coupons.length === 0 ? (
        <NoCoupon />
      ) : (
        <Card actions={<RangeChoice />}>
          <div class="filters">
            <CouponChoice value={couponId} hasAll={hasAll} />
            <CampaignFilter />
          </div>
          {couponId === undefined ? (
            <AffiliateClicks userId={user.id} />
          ) : (
            <ClickFigures of={`coupon ${couponId}`} load={(query) => api.clicks.stats({ coupon_id: couponId, ...query })} />
          )}
        </Card>
      )}
    </>
  );
}

/** The clicks on the links of all coupons of an affiliate. */
export const AffiliateClicks = ({ userId }: { userId: number }) => (
  <ClickFigures of={`affiliate ${userId}`} load={(query) => api.affiliates.clicks(userId, query)} />
);

/** Only the clicks of one campaign. It is in the address. */
export const CampaignFilter = () => (
  <SearchField label="Campaign" value={getQuery('campaign')} maxLength={100} onChange={(campaign) => setTyped('campaign', campaign)} />
);

const series = {
  clicks: 'Clicks',
  unique_clicks: 'Visitors',
  conversions: 'Orders from clicks',
} as const;

type Counts = Pick<ClickStats, keyof typeof series | 'campaign' | 'conversion_rate' | 'series'>;

interface ClickFiguresProps {
  load: (query: { campaign?: string; from?: string; to?: string; interval?: Interval }) => Promise<Counts>;
  /** Changes with what `load` loads. */
  of: string;
}

function ClickFigures({ load, of }: ClickFiguresProps) {
  const range = readRange();
  // Referral links have it without spaces around it.
  const campaign = getQuery('campaign').trim();
  const filter = { interval: range.interval, ...(campaign && { campaign }) };
  const keys = [of, range.key, campaign];
  const stats = useLoad(() => load({ ...range.days, ...filter }), keys);
  const before = useLoad(range.before ? () => load({ ...range.before, ...filter }) : null, keys);
  return (
    <Loaded from={stats}>
      {(now) => (
        <>
          <CampaignNote range={range} now={now} />
          {!isEmptyCampaign(now) && <Counted now={now} before={before.current} />}
        </>
      )}
    </Loaded>
  );
}

const isEmptyCampaign = ({ campaign, clicks, conversions }: Counts): boolean => campaign !== null && clicks === 0 && conversions === 0;

/** Names the campaign that was counted, which differs from the one in the field while another is loading. */
function CampaignNote({ range, now }: { range: Range; now: Counts }) {
  if (now.campaign === null) return null;
  const name = <Name>{now.campaign}</Name>;
  if (!isEmptyCampaign(now)) return <p role="status">Only clicks of the campaign “{name}” are counted.</p>;
  return (
    <p class="empty" role="status">
      No clicks of the campaign “{name}”{range.before ? ' in this range' : ''}.
    </p>
  );
}

function Counted({ now, before }: { now: Counts; before: Counts | undefined }) {
  const shown = getChoice('chart', series) ?? 'clicks';
  const tabs = Object.entries(series).map(([key, text]) => ({ text, href: hrefWith({ chart: key }), isCurrent: key === shown }));
  return (
    <>
      <Figures>
        {Object.entries(series).map(([key, name]) => {
          const field = key as keyof typeof series;
          return (
            <Figure
              key={key}
              name={name}
              value={formatNumber(now[field])}
              note={before && <Change now={now[field]} then={before[field]} />}
            />
          );
        })}
        <Figure
          name="Conversion rate"
          value={formatPercent(now.conversion_rate)}
          note={`${formatNumber(now.conversions)} of ${formatNumber(now.clicks)} clicks became orders`}
        />
      </Figures>
      <Tabs label="Chart" items={tabs} />
      <CountChart
        name={series[shown]}
        steps={(now.series ?? []).map((step) => ({ from: step.from, to: step.to, value: step[shown] }))}
        before={(before?.series ?? []).map((step) => step[shown])}
      />
    </>
  );
}
