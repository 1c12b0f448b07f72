import type { CouponStatus } from '../../../domain/coupons/coupon.ts';
import type { IncomingCoupon } from '../../../domain/coupons/record.ts';
import type { ExportedCoupon } from '../../../domain/exports/store.ts';
import { toNumber } from '../../../domain/money.ts';
import type { DiscountType } from '../../../domain/program.ts';
import { type Field, id, line, moment, money, oneOf, optional, percent, readFields, type Store } from '../fields.ts';
import { writtenMoment } from '../moments.ts';
import { unless } from '../omit-default.ts';
import { login } from './user.ts';

const statuses = ['publish', 'draft', 'private'] as const satisfies CouponStatus[];
const discountTypes = ['percent', 'fixed_cart', 'fixed_product'] as const satisfies DiscountType[];

/** Percent or money: that depends on another field, so it is read once that is known. */
const unread: Field<unknown> = { cell: 'number', isRequired: true, read: (value) => value };

export const couponFields = {
  id: optional(id),
  code: line(100),
  user: optional(login),
  status: optional(oneOf(statuses)),
  date_created: optional(moment),
  percent: optional(percent),
  fixed_per_order: optional(money),
  fixed_per_product: optional(money),
  discount_type: optional(oneOf(discountTypes)),
  discount_amount: optional(unread),
};

/** A coupon, and the login of whose it is. */
export interface CouponLine {
  coupon: IncomingCoupon;
  owner: string | undefined;
}

export function readCoupon(raw: Record<string, unknown>, store: Store): CouponLine {
  const fields = readFields(couponFields, raw, store);
  const { discount_amount } = readFields({ discount_amount: optional(discountAmount(fields.discount_type)) }, raw, store);
  const coupon: IncomingCoupon = {
    id: fields.id,
    code: fields.code,
    status: fields.status,
    createdAt: fields.date_created,
    percentThousandths: fields.percent,
    fixedPerOrder: fields.fixed_per_order,
    fixedPerProduct: fields.fixed_per_product,
    // An amount alone is percent, also where the coupon had another type before.
    discountType: fields.discount_type ?? (discount_amount === undefined ? undefined : 'percent'),
    discountAmount: discount_amount,
  };
  return { coupon, owner: fields.user };
}

const discountAmount = (type: DiscountType = 'percent'): Field<number> => (type === 'percent' ? percent : money);

export function writeCoupon(coupon: ExportedCoupon, { zone, currency }: Store): Record<string, unknown> {
  const amount = (minor: number | null) => (minor === null ? undefined : toNumber(minor, currency));
  const percentOf = (thousandths: number | null) => (thousandths === null ? undefined : thousandths / 1000);
  return {
    id: coupon.id,
    code: coupon.code,
    user: unless(coupon.ownerLogin, null),
    status: coupon.status,
    date_created: writtenMoment(coupon.createdAt, zone),
    percent: percentOf(coupon.percentThousandths),
    fixed_per_order: amount(coupon.fixedPerOrder),
    fixed_per_product: amount(coupon.fixedPerProduct),
    discount_type: coupon.discountType,
    discount_amount: (coupon.discountType === 'percent' ? percentOf : amount)(coupon.discountAmount),
  };
}
