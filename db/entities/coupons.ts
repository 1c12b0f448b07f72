import { EntitySchema } from 'typeorm';
import type { Coupon } from '../../domain/coupons/coupon.ts';
import { hidden, id, nullable, text, whole } from './columns.ts';

export interface CouponRow extends Omit<Coupon, 'balances'> {
  codeFolded: string;
  percentThousandths: number | null;
  fixedPerOrderMinor: number | null;
  fixedPerProductMinor: number | null;
  discountType: 'percent' | 'fixed_cart' | 'fixed_product';
  discountAmount: number;
  unpaidMinor: number;
  pendingOrderMinor: number;
  pendingPayoutMinor: number;
  paidMinor: number;
}

export const coupons = new EntitySchema<CouponRow>({
  name: 'coupons',
  columns: {
    id,
    code: text('code'),
    codeFolded: hidden(text('code_folded')),
    userId: nullable(whole('user_id')),
    status: text('status'),
    createdAt: whole('created_at'),
    percentThousandths: hidden(nullable(whole('percent_thousandths'))),
    fixedPerOrderMinor: hidden(nullable(whole('fixed_per_order_minor'))),
    fixedPerProductMinor: hidden(nullable(whole('fixed_per_product_minor'))),
    discountType: hidden(text('discount_type')),
    discountAmount: hidden(whole('discount_amount')),
    unpaidMinor: whole('unpaid_minor'),
    pendingOrderMinor: whole('pending_order_minor'),
    pendingPayoutMinor: whole('pending_payout_minor'),
    paidMinor: whole('paid_minor'),
  },
});
