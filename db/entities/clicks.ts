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
