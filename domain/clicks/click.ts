/** A visit through a referral link. The visitor is the shop's random id, kept as a keyed hash; addresses are not kept at all. */
export interface Click {
  couponId: number;
  day: string;
  clickedAt: number;
  visitorHash: string;
  campaign: string | null;
  referrer: string | null;
  landingPage: string | null;
}
