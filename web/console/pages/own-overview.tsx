import { useState } from 'preact/hooks';
import { Card, Figure, Figures, PageHead, Select } from '../components.tsx';
import { CouponCard } from '../coupon-card.tsx';
import { formatMoney, sumOf } from '../format.ts';
import { ErrorBox, Loaded, useLoad } from '../load.tsx';
import { getQuery, hasNavigated, setQuery } from '../router.ts';
import { Sales } from '../sales.tsx';
import { api, getMe, isServed, loadMe } from '../session.ts';

/** What an affiliate has earned, and what to share. */
export function OwnOverview() {
  const { user } = getMe();
  const hasStats = isServed('get_affiliates_id_stats');
  const [isShown, setShown] = useState(!hasStats);
  return (
    <>
      <PageHead title="Overview" lead={<>What you earned with your coupons, {<bdi>{user.display_name}</bdi>}.</>}>
        {isServed('get_payouts', 'post_payouts') && (
          <a class="primary" href="/console/payouts">
            Request a payout
          </a>
        )}
      </PageHead>
      <Balances />
      {isServed('get_coupons_id') && <OwnCoupons isReady={isShown} />}
      {hasStats && (
        <Sales title="Results" of={String(user.id)} load={(query) => api.affiliates.stats(user.id, query)} onShown={() => setShown(true)} />
      )}
    </>
  );
}

/** The pools of all coupons, in words. Read again on every page that shows them: payouts are decided elsewhere. */
export function Balances({ version = 0 }: { version?: number }) {
  const { error, reload } = useLoad(hasNavigated() || version > 0 ? loadMe : null, [version]);
  const { coupons } = getMe();
  if (error !== undefined) return <ErrorBox error={error} onRetry={reload} />;
  return (
    <Figures>
      <Figure name="Available" value={formatMoney(sumOf(coupons, (coupon) => coupon.unpaid_commission))} note={describeAvailable()} />
      <Figure
        name="Being cleared"
        value={formatMoney(sumOf(coupons, (coupon) => coupon.pending_order_commission))}
        note="can still be returned"
      />
      <Figure
        name="Requested"
        value={formatMoney(sumOf(coupons, (coupon) => coupon.pending_payout_commission))}
        note="waiting or on its way"
      />
      <Figure name="Paid" value={formatMoney(sumOf(coupons, (coupon) => coupon.paid_commission))} note="all time" />
    </Figures>
  );
}

/** Commission of several coupons is requested for each, so the sum may not be there at once. */
const describeAvailable = (): string =>
  getMe().coupons.filter(({ unpaid_commission }) => unpaid_commission > 0).length > 1
    ? 'you request it coupon by coupon'
    : 'ready to request';

/** What to share. One coupon at a time: an affiliate may have a hundred. It is loaded after the first chart. */
function OwnCoupons({ isReady }: { isReady: boolean }) {
  const { coupons } = getMe();
  const chosen = coupons.find(({ id }) => id === Number(getQuery('share'))) ?? coupons[0];
  const coupon = useLoad(chosen && isReady ? () => api.coupons.get(chosen.id) : null, [chosen?.id, isReady]);
  return (
    <Card title={coupons.length === 1 ? 'Your coupon' : 'Your coupons'}>
      {coupons.length > 1 && (
        <Select
          label="Coupon"
          value={String(chosen?.id)}
          options={coupons.map(({ id, code }) => [String(id), code] as const)}
          onChange={(share) => setQuery({ share }, { isReplaced: true })}
        />
      )}
      {chosen ? (
        <Loaded from={coupon}>{(detail) => <CouponCard key={detail.id} coupon={detail} />}</Loaded>
      ) : (
        <p class="empty">No coupon is assigned to you at the moment.</p>
      )}
    </Card>
  );
}
