import { useState } from 'preact/hooks';
import { Card, Name, PageHead } from '../components.tsx';
import { formatMoney } from '../format.ts';
import { Payouts } from '../lists.tsx';
import { Loaded, useLoad } from '../load.tsx';
import { PayoutRequest } from '../payout-request.tsx';
import type { Coupon } from '../records.ts';
import { api, getMe, isServed } from '../session.ts';
import { Adjustments } from './adjustments.tsx';
import { Balances } from './own-overview.tsx';

/** Requesting a payout, and following it until it is paid. */
export function OwnPayouts() {
  const { user, coupons } = getMe();
  const [version, setVersion] = useState(0);
  const balanced = coupons.filter(({ unpaid_commission, pending_payout_commission }) => unpaid_commission + pending_payout_commission > 0);
  const shown = balanced.length > 0 ? balanced : coupons.slice(0, 1);
  return (
    <>
      <PageHead title="Payouts" lead="Request what you earned, and see what became of it." />
      <Balances version={version} />
      {isServed('post_payouts', 'get_coupons_id') && (
        <Card title="Request a payout">
          {shown.length === 0 && <p class="empty">No coupon is assigned to you at the moment.</p>}
          {shown.map((coupon) => (
            <CouponRequest key={coupon.id} coupon={coupon} isOpen={shown.length === 1} onRequested={() => setVersion(version + 1)} />
          ))}
        </Card>
      )}
      <Card title="Your payouts">
        <Payouts userId={user.id} version={version} empty="You have no payouts with this status yet." />
      </Card>
      {isServed('get_adjustments') && <Adjustments userId={user.id} coupons={[]} />}
    </>
  );
}

/** What can be requested for one coupon, or a button that finds out: each costs a call. */
function CouponRequest({ coupon, isOpen, onRequested }: { coupon: Coupon; isOpen: boolean; onRequested: () => void }) {
  const [isWanted, setWanted] = useState(isOpen);
  const [version, setVersion] = useState(0);
  const detail = useLoad(isWanted ? () => api.coupons.get(coupon.id) : null, [coupon.id, isWanted, version]);
  const requested = (): void => {
    setVersion(version + 1);
    onRequested();
  };
  if (isWanted)
    return <Loaded from={detail}>{(record) => <PayoutRequest coupon={record} isStarted={!isOpen} onRequested={requested} />}</Loaded>;
  return (
    <section class="request request-head" aria-label={`Payout of ${coupon.code}`}>
      <p>
        <Name>{coupon.code}</Name>
      </p>
      <p class="request-amount">{formatMoney(coupon.unpaid_commission)}</p>
      {coupon.pending_payout_commission > 0 ? (
        <p class="quiet">Can be requested once {formatMoney(coupon.pending_payout_commission)} is paid.</p>
      ) : (
        <button type="button" class="plain" onClick={() => setWanted(true)}>
          Request payout
        </button>
      )}
    </section>
  );
}
