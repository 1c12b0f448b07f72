import type { CouponTerms } from '../coupons/terms.ts';
import type { CreditedVia } from '../orders/order.ts';

/** The coupons that may be credited. Links count for published coupons only. */
interface AttributionCandidates {
  lifetime: CouponTerms | undefined;
  click: { coupon: CouponTerms; campaign: string | null } | undefined;
  used: CouponTerms | undefined;
}

export interface Credit {
  coupon: CouponTerms;
  creditedVia: CreditedVia;
  campaign: string | null;
}

/** Lifetime link before referral link before the used coupon. Null if the order was not referred. */
export function chooseCredit({ lifetime, click, used }: AttributionCandidates): Credit | null {
  if (lifetime) return { coupon: lifetime, creditedVia: 'lifetime', campaign: null };
  if (click) return { coupon: click.coupon, creditedVia: 'referral_link', campaign: click.campaign };
  return used ? { coupon: used, creditedVia: 'coupon', campaign: null } : null;
}
