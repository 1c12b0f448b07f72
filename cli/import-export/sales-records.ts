import type { IncomingClick } from '../../domain/clicks/incoming.ts';
import type { HashVisitor } from '../../domain/clicks/record.ts';
import type { CouponStatus } from '../../domain/coupons/coupon.ts';
import type { IncomingCoupon } from '../../domain/coupons/record.ts';
import type { ExportedClick, ExportedCoupon } from '../../domain/exports/store.ts';
import { toNumber } from '../../domain/money.ts';
import type { IncomingOrder } from '../../domain/orders/incoming.ts';
import { type Order, orderStatuses } from '../../domain/orders/order.ts';
import type { DiscountType } from '../../domain/program.ts';
import { login } from './account-records.ts';
import * as field from './fields.ts';
import { type Field, formatMoment, type RecordFormat } from './fields.ts';

const couponStatuses = ['publish', 'draft', 'private'] as const satisfies CouponStatus[];
const discountTypes = ['percent', 'fixed_cart', 'fixed_product'] as const satisfies DiscountType[];

const couponFields = {
  id: field.optional(field.id),
  code: field.line(100),
  user: field.optional(login),
  status: field.optional(field.oneOf(couponStatuses)),
  date_created: field.optional(field.moment),
  percent: field.optional(field.percent),
  fixed_per_order: field.optional(field.money),
  fixed_per_product: field.optional(field.money),
  discount_type: field.optional(field.oneOf(discountTypes)),
  // Percent or money, depending on discount_type: read separately.
  discount_amount: field.optional(field.required<unknown>('number', (value) => value)),
};

export interface CouponData {
  coupon: IncomingCoupon;
  /** The login of the affiliate. */
  owner: string | undefined;
}

export const couponFormat: RecordFormat<CouponData, ExportedCoupon> = {
  fields: couponFields,
  read(raw, locale) {
    const fields = field.readFields(couponFields, raw, locale);
    const amountField: Field<number> = (fields.discount_type ?? 'percent') === 'percent' ? field.percent : field.money;
    const { discount_amount } = field.readFields({ discount_amount: field.optional(amountField) }, raw, locale);
    const coupon: IncomingCoupon = {
      id: fields.id,
      code: fields.code,
      status: fields.status,
      createdAt: fields.date_created,
      percentThousandths: fields.percent,
      fixedPerOrder: fields.fixed_per_order,
      fixedPerProduct: fields.fixed_per_product,
      // An amount without a type is percent, even if the stored coupon has another type.
      discountType: fields.discount_type ?? (discount_amount === undefined ? undefined : 'percent'),
      discountAmount: discount_amount,
    };
    return { coupon, owner: fields.user };
  },
  page: (store, ...range) => store.coupons(...range),
  keyOf: (coupon) => coupon.id,
  write(coupon, { zone, currency }) {
    const toAmount = (minor: number | null) => (minor === null ? undefined : toNumber(minor, currency));
    const toPercent = (thousandths: number | null) => (thousandths === null ? undefined : thousandths / 1000);
    return {
      id: coupon.id,
      code: coupon.code,
      user: field.omitDefault(coupon.ownerLogin, null),
      status: coupon.status,
      date_created: formatMoment(coupon.createdAt, zone),
      percent: toPercent(coupon.percentThousandths),
      fixed_per_order: toAmount(coupon.fixedPerOrder),
      fixed_per_product: toAmount(coupon.fixedPerProduct),
      discount_type: coupon.discountType,
      discount_amount: (coupon.discountType === 'percent' ? toPercent : toAmount)(coupon.discountAmount),
    };
  },
};

const visitor = field.text(200);

/**
 * The shop's own id of a visitor is not stored, so an export has its hash, with a prefix. On the same master key the visitor's next order
 * still finds the click.
 */
const formatVisitor = (visitorHash: string): string => `hashed:${visitorHash}`;

/** Also accepts visitors in the format of an export. */
export const acceptHashes =
  (hash: HashVisitor): HashVisitor =>
  (value) =>
    /^hashed:([\w-]{43})$/.exec(value)?.[1] ?? hash(value);

const clickFields = {
  coupon_id: field.optional(field.id),
  coupon_code: field.optional(field.text(100)),
  date: field.moment,
  visitor,
  campaign: field.optional(field.text(100)),
  referrer: field.optional(field.text(2000)),
  landing_page: field.optional(field.text(2000)),
};

export const clickFormat: RecordFormat<IncomingClick, ExportedClick> = {
  fields: clickFields,
  read(raw, locale) {
    const { coupon_id, coupon_code, date, landing_page, ...rest } = field.readFields(clickFields, raw, locale);
    return { ...rest, couponId: coupon_id, couponCode: coupon_code, clickedAt: date, landingPage: landing_page };
  },
  page: (store, ...range) => store.clicks(...range),
  keyOf: (click) => click.id,
  write: (click, { zone }) => ({
    coupon_id: click.couponId,
    date: formatMoment(click.clickedAt, zone),
    visitor: formatVisitor(click.visitorHash),
    campaign: field.omitDefault(click.campaign, null),
    referrer: field.omitDefault(click.referrer, null),
    landing_page: field.omitDefault(click.landingPage, null),
  }),
};

const orderFields = {
  order_id: field.whole(1, Number.MAX_SAFE_INTEGER),
  coupon_id: field.optional(field.id),
  coupon_code: field.optional(field.text(100)),
  date: field.moment,
  status: field.oneOf(orderStatuses),
  total: field.money,
  discount: field.optional(field.money),
  shipping: field.optional(field.money),
  tax: field.optional(field.money),
  quantity: field.optional(field.whole(0, 1_000_000)),
  refunded_amount: field.optional(field.money),
  campaign: field.optional(field.text(100)),
  visitor: field.optional(visitor),
  percent: field.optional(field.percent),
  fixed_per_order: field.optional(field.money),
  fixed_per_product: field.optional(field.money),
};

export const orderFormat: RecordFormat<IncomingOrder, Order> = {
  fields: orderFields,
  read(raw, locale) {
    const fields = field.readFields(orderFields, raw, locale);
    return {
      orderId: fields.order_id,
      couponId: fields.coupon_id,
      couponCode: fields.coupon_code,
      placedAt: fields.date,
      status: fields.status,
      total: fields.total,
      discount: fields.discount ?? 0,
      shipping: fields.shipping ?? 0,
      tax: fields.tax ?? 0,
      quantity: fields.quantity ?? 1,
      refunded: fields.refunded_amount ?? 0,
      campaign: fields.campaign,
      visitor: fields.visitor,
      rates: { percentThousandths: fields.percent, fixedPerOrder: fields.fixed_per_order, fixedPerProduct: fields.fixed_per_product },
    };
  },
  page: (store, ...range) => store.orders(...range),
  keyOf: ({ orderId }) => orderId,
  /** With the rates at which it was recorded, which the coupon may no longer have, and the coupon that the store named: an import attributes by clicks again. */
  write(order, { zone, currency }) {
    const toAmount = (minor: number): number => toNumber(minor, currency);
    return {
      order_id: order.orderId,
      coupon_id: field.omitDefault(order.usedCouponId, null),
      date: formatMoment(order.placedAt, zone),
      status: order.status,
      total: toAmount(order.total),
      discount: field.omitDefault(toAmount(order.discount), 0),
      shipping: field.omitDefault(toAmount(order.shipping), 0),
      tax: field.omitDefault(toAmount(order.tax), 0),
      quantity: field.omitDefault(order.quantity, 1),
      refunded_amount: field.omitDefault(toAmount(order.refunded), 0),
      campaign: field.omitDefault(order.campaign, null),
      visitor: order.visitorHash === null ? undefined : formatVisitor(order.visitorHash),
      percent: order.rates.percentThousandths / 1000,
      fixed_per_order: toAmount(order.rates.fixedPerOrder),
      fixed_per_product: toAmount(order.rates.fixedPerProduct),
    };
  },
};
