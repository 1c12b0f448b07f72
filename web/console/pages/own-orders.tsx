import { Badge, Card, PageHead, Select } from '../components.tsx';
import { Orders } from '../lists.tsx';
import { RangeChoice } from '../range.tsx';
import { getQuery, setQuery } from '../router.ts';
import { getMe } from '../session.ts';
import { commissionStatuses, orderStatuses } from '../words.ts';

/** The coupon in the address, or the newest. */
export function readOwnCoupon(): number | undefined {
  const { coupons } = getMe();
  const chosen = Number(getQuery('coupon'));
  return (coupons.find(({ id }) => id === chosen) ?? coupons[0])?.id;
}

export function CouponChoice() {
  const { coupons } = getMe();
  return (
    <Select
      label="Coupon"
      value={String(readOwnCoupon())}
      options={coupons.map(({ id, code }) => [String(id), code] as const)}
      onChange={(coupon) => setQuery({ coupon, page: null })}
    />
  );
}

export const NoCoupon = () => <p class="empty">No coupon is assigned to you at the moment, so there is nothing to show here.</p>;

export function OwnOrders() {
  const couponId = readOwnCoupon();
  return (
    <>
      <PageHead title="Orders" lead="What customers bought with your coupon or through your link." />
      {couponId === undefined ? (
        <NoCoupon />
      ) : (
        <Card actions={<RangeChoice />}>
          <Orders couponId={couponId}>
            <CouponChoice />
          </Orders>
          <StatusHelp />
        </Card>
      )}
    </>
  );
}

/** What each status means: titles of badges cannot be read on a phone. */
export const StatusHelp = () => (
  <details class="help">
    <summary>What the statuses mean</summary>
    <dl class="facts">
      {[...Object.values(orderStatuses), ...Object.values(commissionStatuses)].map((status) => (
        <div key={status.label + status.meaning}>
          <dt>
            <Badge of={status} />
          </dt>
          <dd>{status.meaning}</dd>
        </div>
      ))}
    </dl>
  </details>
);
