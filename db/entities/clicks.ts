import { bigint, entity, generatedId, nullable, primary, text } from './columns.ts';

export const clicks = entity('clicks', {
  id: generatedId,
  couponId: bigint('coupon_id'),
  day: text('day'),
  clickedAt: bigint('clicked_at'),
  visitorHash: text('visitor_hash'),
  campaign: nullable(text('campaign')),
  referrer: nullable(text('referrer')),
  landingPage: nullable(text('landing_page')),
  convertedOrderId: nullable(bigint('converted_order_id')),
});

const counts = { clicks: bigint('clicks'), conversions: bigint('conversions') };

export const clickDays = entity('click_days', { couponId: primary(bigint('coupon_id')), day: primary(text('day')), ...counts });

export const clickTotals = entity('click_totals', { couponId: primary(bigint('coupon_id')), ...counts });

// Distinct visitors by the filters of the statistics: one coupon or all (0), one campaign or all (''). docs/decisions/0021 explains them.

const filter = { couponId: primary(bigint('coupon_id')), campaign: primary(text('campaign')) };

/** The days on which a visitor clicked. */
export const visitorDays = entity('visitor_days', {
  visitorHash: primary(text('visitor_hash')),
  ...filter,
  day: primary(text('day')),
});

export const visitorCounts = entity('visitor_counts', {
  ...filter,
  day: primary(text('day')),
  part: primary(bigint('part')),
  ...counts,
  visitors: bigint('visitors'),
});

/** Whether `earlier` and `later` are days or months: `dm` counts visitors of a day whose next visit was in that month. */
export type ReturnGrain = 'dd' | 'dm' | 'md' | 'mm';

/** How many visitors of `earlier` clicked next on `later`. */
export const visitorReturns = entity('visitor_returns', {
  ...filter,
  grain: primary(text<ReturnGrain>('grain')),
  earlier: primary(text('earlier')),
  later: primary(text('later')),
  part: primary(bigint('part')),
  visitors: bigint('visitors'),
});

/** Of erased clicks: how often visitors are counted more than once among the coupons of a user, as sums of visits and returns. */
export const visitorRepeats = entity('visitor_repeats', {
  userId: primary(bigint('user_id')),
  campaign: primary(text('campaign')),
  earlier: primary(text('earlier')),
  later: primary(text('later')),
  visitors: bigint('visitors'),
});
