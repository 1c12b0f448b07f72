import { useState } from 'preact/hooks';
import { Card, PageHead } from '../components.tsx';
import { Payouts } from '../lists.tsx';
import { Loaded, useLoad } from '../load.tsx';
import { PayoutRequest } from '../payout-request.tsx';
import { api, getMe, isServed } from '../session.ts';
import { Balances } from './own-overview.tsx';

const shownCoupons = 10;

/** Requesting a payout, and following it until it is paid. */
export function OwnPayouts() {
  const ids = getMe().coupons.map(({ id }) => id);
  const [version, setVersion] = useState(0);
  const coupons = useLoad(() => Promise.all(ids.slice(0, shownCoupons).map((id) => api.coupons.get(id))), [ids, version]);
  return (
    <>
      <PageHead title="Payouts" lead="Request what you earned, and see what became of it." />
      <Balances version={version} />
      {isServed('post_payouts', 'get_coupons_id') && (
        <Card title="Request a payout">
          {ids.length === 0 && <p class="empty">No coupon is assigned to you at the moment.</p>}
          <Loaded from={coupons}>
            {(list) => list.map((coupon) => <PayoutRequest key={coupon.id} coupon={coupon} onRequested={() => setVersion(version + 1)} />)}
          </Loaded>
          {ids.length > shownCoupons && <p class="small quiet">The newest {shownCoupons} of your coupons.</p>}
        </Card>
      )}
      <Card title="Your payouts">
        <Payouts userId={getMe().user.id} version={version} empty="You have no payouts with this status yet." />
      </Card>
    </>
  );
}
