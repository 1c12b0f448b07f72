import { Badge, Card, PageHead, Select } from '../components.tsx';
import { AllOrders, CouponOrders } from '../lists.tsx';
import { RangeChoice } from '../range.tsx';
import { getQuery, setQuery } from '../router.ts';
import { getMe, isServed } from '../session.ts';
import { commissionStatuses, orderStatuses } from '../words.ts';

/** The coupon in the address. */
export function readOwnCoupon(): number | undefined {
  const chosen = Number(getQuery('coupon'));
  return getMe().coupons.find(({ id }) => id === chosen)?.id;
}

/** Without `hasAll`, one of the coupons is always chosen. */
export function CouponChoice({ value, hasAll }: { value: number | undefined; hasAll: boolean }) {
  const { coupons } = getMe();
  if (coupons.length < 2) return null;
  const options = coupons.map(({ id, code }) => [String(id), code] as const);
  return (
    <Select
      label="Coupon"
      value={String(value ?? '')}
      options={hasAll ? [['', 'All coupons'], ...options] : options}
      onChange={(coupon) => setQuery({ coupon, page: null })}
    />
  );
}

export const NoCoupon = () => <p class="empty">No coupon is assigned to you at the moment, so there is nothing to show here.</p>;

/** Orders over all coupons, where the site serves them; else those of one coupon. */
export function OwnOrders() {
  const { coupons } = getMe();
  const hasAll = isServed('get_orders');
  const couponId = readOwnCoupon() ?? (hasAll ? undefined : coupons[0]?.id);
  return (
    <>
      <PageHead title="Orders" lead="What customers bought with your coupons or through your links." />
      {coupons.length === 0 ? (
        <NoCoupon />
      ) : (
        <Card actions={<RangeChoice />}>
          {hasAll ? (
            <AllOrders {...(couponId !== undefined && { couponId })}>
              <CouponChoice value={couponId} hasAll />
            </AllOrders>
          ) : (
            couponId !== undefined && (
              <CouponOrders couponId={couponId}>
                <CouponChoice value={couponId} hasAll={false} />
              </CouponOrders>
            )
          )}
          <StatusHelp />
        </Card>
      )}
    </>
  );
}

/** What each status means: titles of badges cannot be read on a phone. */
const StatusHelp = () => (
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
