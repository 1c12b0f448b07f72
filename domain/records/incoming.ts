import type { IncomingClick } from '../clicks/incoming.ts';
import type { HashVisitor } from '../clicks/record.ts';
import type { IncomingCoupon } from '../coupons/record.ts';
import type { IncomingOrder } from '../order-recording/incoming.ts';
import type { MethodType } from '../payout-details/payout-details.ts';
import type { Application } from '../registrations/application.ts';
import type { IncomingUser } from '../users/record.ts';
import { hashedPrefix } from './formats.ts';
import { type FieldSchema, type RawRecord, type ReadOptions, type RecordKind, type RecordValues, readRecord } from './read-record.ts';

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
export function readIncoming<Kind extends RecordKind>(kind: Kind, raw: RawRecord, options: ReadOptions): IncomingRecord<Kind> {
  const amended = kind === 'coupon' ? { discount_amount: discountAmount(raw) } : {};
  return toIncoming[kind](readRecord(kind, raw, options, amended)) as IncomingRecord<Kind>;
}

/** Every field is named, none is passed on by `...rest`: the compiler and test/contract/promises.test.ts find a field that is not read. */
export const toIncoming: { [Kind in RecordKind]: (values: RecordValues<Kind>) => IncomingRecords[Kind] } = {
  user: (values) => ({
    user: {
      id: values.id,
      login: values.login,
      email: values.email,
      displayName: values.display_name,
      role: values.role,
      registeredAt: values.date_registered,
      profile: values.profile,
      groups: values.groups,
      customFields: values.custom_fields,
      status: values.status,
    },
    parent: values.parent,
  }),
  coupon: (values) => ({
    coupon: {
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
    },
    owner: values.user,
  }),
  order: (values) => ({
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
    subscription: values.subscription,
    customerEmail: values.customer_email,
    dueAt: values.date_due,
    grantedAt: values.date_granted,
    rates: { percentThousandths: values.percent, fixedPerOrder: values.fixed_per_order, fixedPerProduct: values.fixed_per_product },
  }),
  click: (values) => ({
    couponId: values.coupon_id,
    couponCode: values.coupon_code,
    clickedAt: values.date,
    visitor: values.visitor,
    campaign: values.campaign,
    referrer: values.referrer,
    landingPage: values.landing_page,
  }),
  registration: (values) => ({
    id: values.id,
    login: values.login,
    email: values.email,
    displayName: values.display_name,
    couponCode: values.coupon_code,
    promote: values.promote,
    referrer: values.referrer,
    website: values.website,
    type: values.type,
    customFields: values.custom_fields,
    at: values.date,
  }),
  payout_details: (values) => ({
    owner: values.user,
    method: values.method,
    methodType: values.method_type,
    details: values.details,
  }),
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
