import { Name } from './components.tsx';
import { getMe, isServed } from './session.ts';

const hasAffiliatePages = (): boolean => isServed('get_affiliates', 'get_affiliates_id');
/** The pages of coupons are for admins. */
const hasCouponPages = (): boolean => getMe().is_admin && isServed('get_coupons', 'get_coupons_id');

/** Null where the site does not serve the page. */
export const hrefOfAffiliate = (id: number): string | null => (hasAffiliatePages() ? `/console/affiliates/${id}` : null);
export const hrefOfCoupon = (id: number): string | null => (hasCouponPages() ? `/console/coupons/${id}` : null);

/** Payouts of the program; those of the reader have another page. */
export const hrefOfPayout = (id: number): string | null =>
  isServed('get_payouts', 'get_payouts_id') ? `/console/program/payouts/${id}` : null;
export const hrefOfBatch = (id: number): string | null =>
  isServed('get_payout_batches', 'get_payout_batches_id') ? `/console/program/batches/${id}` : null;
export const hrefOfSignal = (id: number): string | null =>
  isServed('get_risk_signals', 'get_risk_signals_id') ? `/console/risk/${id}` : null;
export const hrefOfOrder = (id: number): string | null => (isServed('get_orders') ? `/console/program/orders?search=${id}` : null);

/** A name that leads to its page, where there is one. */
export const NameLink = ({ href, name }: { href: string | null; name: string }) =>
  href === null ? (
    <Name>{name}</Name>
  ) : (
    <a href={href}>
      <Name>{name}</Name>
    </a>
  );

export const AffiliateLink = ({ id, name }: { id: number; name: string }) => <NameLink href={hrefOfAffiliate(id)} name={name} />;
export const CouponLink = ({ id, code }: { id: number; code: string }) => <NameLink href={hrefOfCoupon(id)} name={code} />;
