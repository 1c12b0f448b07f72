import { Card, Figure, Figures, PageHead, Tabs } from '../components.tsx';
import { formatNumber, formatPercent } from '../format.ts';
import { Loaded, useLoad } from '../load.tsx';
import { RangeChoice, readRange } from '../range.tsx';
import { getChoice, hrefWith } from '../router.ts';
import { Change, CountChart } from '../sales.tsx';
import { api } from '../session.ts';
import { CouponChoice, NoCoupon, readOwnCoupon } from './own-orders.tsx';

export function OwnClicks() {
  const couponId = readOwnCoupon();
  return (
    <>
      <PageHead title="Clicks" lead="Visits of the shop through your link, and what came of them." />
      {couponId === undefined ? (
        <NoCoupon />
      ) : (
        <Card actions={<RangeChoice />}>
          <CouponChoice />
          <ClickFigures couponId={couponId} />
        </Card>
      )}
    </>
  );
}

const series = {
  clicks: 'Clicks',
  unique_clicks: 'Visitors',
  conversions: 'Orders from clicks',
} as const;

/** Without a coupon, those of the whole program, for admins. */
export function ClickFigures({ couponId }: { couponId?: number }) {
  const range = readRange();
  const filter = couponId === undefined ? {} : { coupon_id: couponId };
  const stats = useLoad(() => api.clicks.stats({ ...filter, ...range.days, interval: range.interval }), [couponId, range.key]);
  const before = useLoad(range.before ? () => api.clicks.stats({ ...filter, ...range.before }) : null, [couponId, range.key]);
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
            <Figure name="Orders per click" value={formatPercent(now.conversion_rate)} note="how often a click became an order" />
          </Figures>
          <Tabs label="Chart" items={tabs} />
          <CountChart
            name={series[shown]}
            steps={(now.series ?? []).map((step) => ({ from: step.from, to: step.to, value: step[shown] }))}
          />
        </>
      )}
    </Loaded>
  );
}
