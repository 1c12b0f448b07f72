import type { AttributingClick, VisitorWindow } from '../clicks/repository.ts';
import type { CouponTerms } from '../coupons/terms.ts';
import type { CreditedVia } from '../orders/order.ts';
import type { Program } from '../program.ts';

const dayMilliseconds = 86_400_000;

/** The period before an order in which a click of its visitor counts. */
export const attributionWindow = (visitorHash: string, placedAt: number, { attribution }: Program): VisitorWindow => ({
  visitorHash,
  from: placedAt - attribution.windowDays * dayMilliseconds,
  to: placedAt,
});

/** Returns the latest click within the window; of two at the same moment, the one recorded last. */
export function findLeadingClick(clicks: readonly AttributingClick[], { from, to }: VisitorWindow): AttributingClick | undefined {
  const later = (one: AttributingClick, other: AttributingClick): boolean =>
    one.clickedAt > other.clickedAt || (one.clickedAt === other.clickedAt && one.clickId > other.clickId);
  let latest: AttributingClick | undefined;
  for (const click of clicks)
    if (click.clickedAt >= from && click.clickedAt <= to && (latest === undefined || later(click, latest))) latest = click;
  return latest;
}

/** The coupons that may be credited. Links count for published coupons only. */
export interface AttributionCandidates {
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
