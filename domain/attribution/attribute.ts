import type { AttributingClick, Candidate } from '../clicks/store.ts';
import type { CouponTerms } from '../coupons/terms.ts';
import type { CreditedVia } from '../orders/order.ts';
import type { Program } from '../program.ts';

const dayMilliseconds = 86_400_000;

/** The time before an order in which a click of its visitor counts. */
export const windowOf = (visitorHash: string, placedAt: number, { attribution }: Program): Candidate => ({
  visitorHash,
  from: placedAt - attribution.windowDays * dayMilliseconds,
  to: placedAt,
});

/** The click that led to the order: the latest within the window. Of two at the same moment the one that was recorded last. */
export function leadingClick(clicks: readonly AttributingClick[], { from, to }: Candidate): AttributingClick | undefined {
  const later = (one: AttributingClick, other: AttributingClick): boolean =>
    one.clickedAt > other.clickedAt || (one.clickedAt === other.clickedAt && one.clickId > other.clickId);
  let latest: AttributingClick | undefined;
  for (const click of clicks)
    if (click.clickedAt >= from && click.clickedAt <= to && (latest === undefined || later(click, latest))) latest = click;
  return latest;
}

/** What speaks for a coupon. Links lead to published coupons alone: who has left the program earns no more by them. */
export interface Traces {
  lifetime: CouponTerms | undefined;
  click: { coupon: CouponTerms; campaign: string | null } | undefined;
  used: CouponTerms | undefined;
}

export interface Credit {
  coupon: CouponTerms;
  creditedVia: CreditedVia;
  campaign: string | null;
}

/** Lifetime link, else referral link, else the coupon that was used. Null: nobody referred it. */
export function creditOf({ lifetime, click, used }: Traces): Credit | null {
  if (lifetime) return { coupon: lifetime, creditedVia: 'lifetime', campaign: null };
  if (click) return { coupon: click.coupon, creditedVia: 'referral_link', campaign: click.campaign };
  return used ? { coupon: used, creditedVia: 'coupon', campaign: null } : null;
}
