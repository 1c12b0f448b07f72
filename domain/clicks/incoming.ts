/** A visit through a referral link, as the store tells it. */
export interface IncomingClick {
  couponId?: number | undefined;
  /** Asked only where there is no id. */
  couponCode?: string | undefined;
  clickedAt: number;
  /** The shop's random id of the visitor. */
  visitor: string;
  campaign?: string | undefined;
  referrer?: string | undefined;
  landingPage?: string | undefined;
}

const lastMoment = Date.parse('9999-12-30T00:00:00Z');

// The contract lets nobody ask for a longer campaign.
const texts = [
  { name: 'couponCode', spoken: 'coupon code', longest: 200 },
  { name: 'visitor', spoken: 'visitor', longest: 200 },
  { name: 'campaign', spoken: 'campaign', longest: 100 },
  { name: 'referrer', spoken: 'referrer', longest: 2000 },
  { name: 'landingPage', spoken: 'landing page', longest: 2000 },
] as const;

const isId = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

/** Why a click cannot be taken in, whatever else is known; null when it can. */
export function refusalOf(click: IncomingClick): string | null {
  if (click.couponId === undefined && !click.couponCode) return 'The click names no coupon.';
  if (click.couponId !== undefined && !isId(click.couponId)) return `There is no coupon ${click.couponId}.`;
  if (!Number.isSafeInteger(click.clickedAt) || click.clickedAt < 0 || click.clickedAt > lastMoment)
    return 'The date must lie between the years 1970 and 9999.';
  if (click.visitor === '') return 'The click names no visitor.';
  for (const { name, spoken, longest } of texts) {
    const text = click[name] ?? '';
    if (text.length > longest) return `The ${spoken} is longer than ${longest} characters.`;
    // PostgreSQL cannot keep these, and would refuse the other clicks with this one.
    if (/\0|\p{Surrogate}/u.test(text)) return `The ${spoken} holds a character that cannot be kept.`;
  }
  return null;
}
