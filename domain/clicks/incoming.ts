/** A visit through a referral link, as the store sends it. */
export interface IncomingClick {
  couponId?: number | undefined;
  /** Used only without an id. */
  couponCode?: string | undefined;
  clickedAt: number;
  /** The shop's random id of the visitor. */
  visitor: string;
  campaign?: string | undefined;
  referrer?: string | undefined;
  landingPage?: string | undefined;
}

const lastMoment = Date.parse('9999-12-30T00:00:00Z');

// The contract allows no longer campaign in a filter.
const texts = [
  { name: 'couponCode', label: 'coupon code', maxLength: 200 },
  { name: 'visitor', label: 'visitor', maxLength: 200 },
  { name: 'campaign', label: 'campaign', maxLength: 100 },
  { name: 'referrer', label: 'referrer', maxLength: 2000 },
  { name: 'landingPage', label: 'landing page', maxLength: 2000 },
] as const;

const isId = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

/** Campaigns are printed in tables and files: without control characters. Undefined if nothing is left. */
export const cleanCampaign = (campaign = ''): string | undefined => campaign.replaceAll(/\p{Cc}/gu, '') || undefined;

/** Returns the reason for a refusal, or null for a valid click. */
export function validateClick(click: IncomingClick): string | null {
  if (click.couponId === undefined && !click.couponCode) return 'The click names no coupon.';
  if (click.couponId !== undefined && !isId(click.couponId)) return `There is no coupon ${click.couponId}.`;
  if (!Number.isSafeInteger(click.clickedAt) || click.clickedAt < 0 || click.clickedAt > lastMoment)
    return 'The date must lie between the years 1970 and 9999.';
  if (click.visitor === '') return 'The click names no visitor.';
  for (const { name, label, maxLength } of texts) {
    const text = click[name] ?? '';
    // As the contract counts: not by halves of characters.
    if ([...text].length > maxLength) return `The ${label} is longer than ${maxLength} characters.`;
    // PostgreSQL cannot store these, and would reject the whole batch.
    if (/\0|\p{Surrogate}/u.test(text)) return `The ${label} contains a character that cannot be stored.`;
  }
  return null;
}
