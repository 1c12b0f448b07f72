import { useState } from 'preact/hooks';
import { Card, Figure, Figures, PageHead } from '../components.tsx';
import { CouponCard } from '../coupon-card.tsx';
import { formatMoney, sumOf } from '../format.ts';
import { ErrorBox, Loaded, useLoad } from '../load.tsx';
import { hasNavigated } from '../router.ts';
import { Sales } from '../sales.tsx';
import { api, getMe, isServed, loadMe } from '../session.ts';

/** What an affiliate has earned, and what to share. */
export function OwnOverview() {
  const { user, coupons } = getMe();
  const ids = coupons.map(({ id }) => id);
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
      {hasStats && (
        <Sales
          title="Results"
          of={String(user.id)}
          couponIds={ids}
          load={(query) => api.affiliates.stats(user.id, query)}
          onShown={() => setShown(true)}
        />
      )}
      {isServed('get_coupons_id') && isShown && <OwnCoupons ids={ids} />}
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
      <Figure name="Available" value={formatMoney(sumOf(coupons, (coupon) => coupon.unpaid_commission))} note="can be paid out" />
      <Figure
        name="Being cleared"
        value={formatMoney(sumOf(coupons, (coupon) => coupon.pending_order_commission))}
        note="available when the time for returns is over"
      />
      <Figure
        name="Requested"
        value={formatMoney(sumOf(coupons, (coupon) => coupon.pending_payout_commission))}
        note="in payouts that are not paid yet"
      />
      <Figure name="Paid" value={formatMoney(sumOf(coupons, (coupon) => coupon.paid_commission))} note="since the beginning" />
    </Figures>
  );
}

const shownCoupons = 6;

function OwnCoupons({ ids }: { ids: readonly number[] }) {
  const coupons = useLoad(() => Promise.all(ids.slice(0, shownCoupons).map((id) => api.coupons.get(id))), [ids]);
  return (
    <Card title={ids.length === 1 ? 'Your coupon' : 'Your coupons'}>
      {ids.length === 0 ? (
        <p class="empty">No coupon is assigned to you at the moment.</p>
      ) : (
        <Loaded from={coupons}>
          {(list) => (
            <div class="coupons">
              {list.map((coupon) => (
                <CouponCard key={coupon.id} coupon={coupon} />
              ))}
            </div>
          )}
        </Loaded>
      )}
      {ids.length > shownCoupons && <p class="small quiet">The newest {shownCoupons} of your coupons. All of them are under Orders.</p>}
    </Card>
  );
}
