/** A visit through a referral link. The shop's visitor id is stored as a keyed hash; addresses are not stored. */
export interface Click {
  couponId: number;
  day: string;
  clickedAt: number;
  visitorHash: string;
  campaign: string | null;
  referrer: string | null;
  landingPage: string | null;
}
