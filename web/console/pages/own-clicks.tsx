import { Card, Figure, Figures, PageHead, Tabs } from '../components.tsx';
import { formatNumber, formatPercent } from '../format.ts';
import { Loaded, useLoad } from '../load.tsx';
import { type Interval, RangeChoice, readRange } from '../range.tsx';
import type { ClickStats } from '../records.ts';
import { getChoice, hrefWith } from '../router.ts';
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
          <CouponChoice value={couponId} hasAll={hasAll} />
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

const series = {
  clicks: 'Clicks',
  unique_clicks: 'Visitors',
  conversions: 'Orders from clicks',
} as const;

type Counts = Pick<ClickStats, keyof typeof series | 'conversion_rate' | 'series'>;

interface ClickFiguresProps {
  load: (query: { from?: string; to?: string; interval?: Interval }) => Promise<Counts>;
  /** Changes with what `load` loads. */
  of: string;
}

function ClickFigures({ load, of }: ClickFiguresProps) {
  const range = readRange();
  const stats = useLoad(() => load({ ...range.days, interval: range.interval }), [of, range.key]);
  const before = useLoad(range.before ? () => load({ ...range.before, interval: range.interval }) : null, [of, range.key]);
  const shown = getChoice('chart', series) ?? 'clicks';
  const tabs = Object.entries(series).map(([key, text]) => ({ text, href: hrefWith({ chart: key }), isCurrent: key === shown }));
  return (
    <Loaded from={stats}>
      {(now) => (
        <>
          <Figures>
            {Object.entries(series).map(([key, name]) => {
              const field = key as keyof typeof series;
              return (
                <Figure
                  key={key}
                  name={name}
                  value={formatNumber(now[field])}
                  note={before.value && <Change now={now[field]} then={before.value[field]} />}
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
            before={(before.value?.series ?? []).map((step) => step[shown])}
          />
        </>
      )}
    </Loaded>
  );
}
