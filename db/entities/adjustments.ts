import { bigint, entity, generatedId, text } from './columns.ts';

/** Bonuses and corrections. */
export const adjustments = entity('adjustments', {
  id: generatedId,
  couponId: bigint('coupon_id'),
  userId: bigint('user_id'),
  amount: bigint('amount_minor'),
  note: text('note'),
  createdBy: bigint('created_by'),
  createdAt: bigint('created_at'),
});
