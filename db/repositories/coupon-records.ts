import type { EntityManager } from 'typeorm';
import type { CouponRecordStore } from '../../domain/coupons/record-store.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { couponTermsStore } from './coupon-terms.ts';

export const couponRecordStore = (manager: EntityManager): CouponRecordStore => ({
  byCode: async (foldedCode) => {
    // PostgreSQL keeps no NUL, and would refuse to compare.
    if (foldedCode.includes('\0')) return [];
    const rows: { id: unknown }[] = await manager.query('select id from coupons where code_folded = $1', [foldedCode]);
    return couponTermsStore(manager).byIds(rows.map(({ id }) => toSafeInteger(id)));
  },
  change: async (coupon) => {
    await manager.query(change, [
      coupon.code,
      coupon.status,
      coupon.createdAt,
      coupon.percentThousandths,
      coupon.fixedPerOrder,
      coupon.fixedPerProduct,
      coupon.discountType,
      coupon.discountAmount,
      coupon.id,
    ]);
  },
});

// The code is written too: its case may have changed, which is no other code.
const change = `
  update coupons set code = $1, status = $2, created_at = $3, percent_thousandths = $4, fixed_per_order_minor = $5,
    fixed_per_product_minor = $6, discount_type = $7, discount_amount = $8
  where id = $9`;
