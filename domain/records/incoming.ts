import type { IncomingClick } from '../clicks/incoming.ts';
import type { HashVisitor } from '../clicks/record.ts';
import type { IncomingCoupon } from '../coupons/record.ts';
import type { IncomingOrder } from '../orders/incoming.ts';
import type { MethodType } from '../payout-details/payout-details.ts';
import type { Application } from '../registrations/application.ts';
import type { IncomingUser } from '../users/record.ts';
import { hashedPrefix } from './formats.ts';
import { type FieldSchema, type RawRecord, type ReadOptions, type RecordKind, readRecord } from './read-record.ts';

export interface IncomingAffiliate {
  user: IncomingUser;
  /** The login of the multi-level parent. */
  parent: string | undefined;
}

export interface OwnedCoupon {
  coupon: IncomingCoupon;
  /** The login of the affiliate. */
  owner: string | undefined;
}

export interface OwnedPayoutDetails {
  /** The login of the affiliate. */
  owner: string;
  method: string;
  methodType: MethodType;
  details: Record<string, unknown>;
}

interface IncomingRecords {
  user: IncomingAffiliate;
  coupon: OwnedCoupon;
  order: IncomingOrder;
  click: IncomingClick;
  registration: Application;
  payout_details: OwnedPayoutDetails;
}

/** A record as the domain reads it. */
export type IncomingRecord<Kind extends RecordKind> = IncomingRecords[Kind];

/** Reads a record of the import format. @throws RecordError */
export const readIncoming = <Kind extends RecordKind>(kind: Kind, raw: RawRecord, options: ReadOptions): IncomingRecord<Kind> =>
  readers[kind](raw, options) as IncomingRecord<Kind>;

const readers: { [Kind in RecordKind]: (raw: RawRecord, options: ReadOptions) => IncomingRecords[Kind] } = {
  user(raw, options) {
    const { display_name, date_registered, custom_fields, parent, ...rest } = readRecord('user', raw, options);
    return { user: { ...rest, displayName: display_name, registeredAt: date_registered, customFields: custom_fields }, parent };
  },
  coupon(raw, options) {
    const values = readRecord('coupon', raw, options, { discount_amount: discountAmount(raw) });
    const coupon: IncomingCoupon = {
      id: values.id,
      code: values.code,
      status: values.status,
      createdAt: values.date_created,
      percentThousandths: values.percent,
      fixedPerOrder: values.fixed_per_order,
      fixedPerProduct: values.fixed_per_product,
      // An amount without a type is percent, even if the stored coupon has another type.
      discountType: values.discount_type ?? (values.discount_amount === undefined ? undefined : 'percent'),
      discountAmount: values.discount_amount,
    };
    return { coupon, owner: values.user };
  },
  order(raw, options) {
    const values = readRecord('order', raw, options);
    return {
      orderId: values.order_id,
      couponId: values.coupon_id,
      couponCode: values.coupon_code,
      placedAt: values.date,
      status: values.status,
      total: values.total,
      discount: values.discount ?? 0,
      shipping: values.shipping ?? 0,
      tax: values.tax ?? 0,
      quantity: values.quantity ?? 1,
      refunded: values.refunded_amount ?? 0,
      campaign: values.campaign,
      visitor: values.visitor,
      rates: { percentThousandths: values.percent, fixedPerOrder: values.fixed_per_order, fixedPerProduct: values.fixed_per_product },
    };
  },
  click(raw, options) {
    const { coupon_id, coupon_code, date, landing_page, ...rest } = readRecord('click', raw, options);
    return { ...rest, couponId: coupon_id, couponCode: coupon_code, clickedAt: date, landingPage: landing_page };
  },
  registration(raw, options) {
    const { display_name, coupon_code, custom_fields, date, ...rest } = readRecord('registration', raw, options);
    return { ...rest, displayName: display_name, couponCode: coupon_code, customFields: custom_fields, at: date };
  },
  payout_details(raw, options) {
    const { user, method_type, ...rest } = readRecord('payout_details', raw, options);
    return { ...rest, owner: user, methodType: method_type };
  },
};

/** Percent or money, depending on `discount_type`. */
const discountAmount = ({ discount_type: type }: RawRecord): FieldSchema => ({
  type: 'number',
  format: typeof type === 'string' && type.startsWith('fixed_') ? 'amount' : 'percent',
});

/** For records of a file: also accepts visitors in the format of an export. */
export const acceptHashes =
  (hash: HashVisitor): HashVisitor =>
  (value) =>
    hashedVisitor.exec(value)?.[1] ?? hash(value);

const hashedVisitor = new RegExp(`^${hashedPrefix}([\\w-]{43})$`);

/** On the same master key the visitor's next order still finds the click. */
export const formatVisitor = (visitorHash: string): string => `${hashedPrefix}${visitorHash}`;
