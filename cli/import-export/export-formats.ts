import { isDeepStrictEqual } from 'node:util';
import { toNumber } from '../../domain/money.ts';
import type {
  ExportedClick,
  ExportedCoupon,
  ExportedOrder,
  ExportedPayoutDetails,
  ExportedUser,
  ExportRepository,
} from '../../domain/records/exported.ts';
import { formatMoment, type StoreLocale } from '../../domain/records/formats.ts';
import { formatVisitor } from '../../domain/records/incoming.ts';
import type { RawRecord } from '../../domain/records/read-record.ts';
import type { Registration } from '../../domain/registrations/registration.ts';

/** How one kind of record is read from storage and written to a file, so that an import reads it. */
export interface ExportFormat<Stored> {
  /** One page of an export: the records whose key is greater than `after`, by ascending key. */
  page(exports: ExportRepository, after: number, limit: number): Promise<Stored[]>;
  keyOf(record: Stored): number;
  write(record: Stored, locale: StoreLocale): RawRecord;
}

/** Undefined for a value that a new record has anyway, so that an export omits it. */
const omitDefault = <Value>(value: Value, defaultValue: unknown): Value | undefined =>
  value === defaultValue || (typeof value === 'object' && isDeepStrictEqual(value, defaultValue)) ? undefined : value;

const user: ExportFormat<ExportedUser> = {
  page: (exports, ...range) => exports.users(...range),
  keyOf: (user) => user.id,
  write: (user, { zone }) => ({
    id: user.id,
    login: user.login,
    email: user.email,
    display_name: user.displayName,
    role: user.role,
    date_registered: formatMoment(user.registeredAt, zone),
    profile: omitDefault(user.profile, {}),
    groups: omitDefault(user.groups, []),
    custom_fields: omitDefault(user.customFields, {}),
    parent: omitDefault(user.parentLogin, null),
    status: user.disabledAt === null ? undefined : 'disabled',
  }),
};

const coupon: ExportFormat<ExportedCoupon> = {
  page: (exports, ...range) => exports.coupons(...range),
  keyOf: (coupon) => coupon.id,
  write(coupon, { zone, currency }) {
    const toAmount = (minor: number | null) => (minor === null ? undefined : toNumber(minor, currency));
    const toPercent = (thousandths: number | null) => (thousandths === null ? undefined : thousandths / 1000);
    return {
      id: coupon.id,
      code: coupon.code,
      user: omitDefault(coupon.ownerLogin, null),
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

const order: ExportFormat<ExportedOrder> = {
  page: (exports, ...range) => exports.orders(...range),
  keyOf: ({ orderId }) => orderId,
  /**
   * With the rates at which it was recorded, which the coupon may no longer have, the coupon that the store named, because an import attributes
   * by clicks again, and the moments of its commission, which its own date and status do not tell.
   */
  write(order, { zone, currency }) {
    const toAmount = (minor: number): number => toNumber(minor, currency);
    return {
      order_id: order.orderId,
      coupon_id: omitDefault(order.usedCouponId, null),
      date: formatMoment(order.placedAt, zone),
      status: order.status,
      total: toAmount(order.total),
      discount: omitDefault(toAmount(order.discount), 0),
      shipping: omitDefault(toAmount(order.shipping), 0),
      tax: omitDefault(toAmount(order.tax), 0),
      quantity: omitDefault(order.quantity, 1),
      refunded_amount: omitDefault(toAmount(order.refunded), 0),
      campaign: omitDefault(order.campaign, null),
      visitor: order.visitorHash === null ? undefined : formatVisitor(order.visitorHash),
      subscription: omitDefault(order.subscription, null),
      percent: order.rates.percentThousandths / 1000,
      fixed_per_order: toAmount(order.rates.fixedPerOrder),
      fixed_per_product: toAmount(order.rates.fixedPerProduct),
      date_due: order.hasCompleted ? formatMoment(order.dueAt, zone) : undefined,
      date_granted: order.grantedAt === null ? undefined : formatMoment(order.grantedAt, zone),
    };
  },
};

const click: ExportFormat<ExportedClick> = {
  page: (exports, ...range) => exports.clicks(...range),
  keyOf: (click) => click.id,
  write: (click, { zone }) => ({
    coupon_id: click.couponId,
    date: formatMoment(click.clickedAt, zone),
    visitor: formatVisitor(click.visitorHash),
    campaign: omitDefault(click.campaign, null),
    referrer: omitDefault(click.referrer, null),
    landing_page: omitDefault(click.landingPage, null),
  }),
};

const registration: ExportFormat<Registration> = {
  // Applications that are decided would be open after an import.
  page: (exports, ...range) => exports.openRegistrations(...range),
  keyOf: (registration) => registration.id,
  write: (registration, { zone }) => ({
    id: registration.id,
    login: registration.login,
    email: registration.email,
    display_name: registration.displayName,
    coupon_code: omitDefault(registration.couponCode, ''),
    promote: omitDefault(registration.promote, ''),
    referrer: omitDefault(registration.referrer, ''),
    website: omitDefault(registration.website, ''),
    type: registration.type,
    custom_fields: omitDefault(registration.customFields, {}),
    date: formatMoment(registration.createdAt, zone),
  }),
};

const payoutDetails: ExportFormat<ExportedPayoutDetails> = {
  page: (exports, ...range) => exports.payoutDetails(...range),
  keyOf: ({ userId }) => userId,
  // Without the destination. Such a line cannot be imported, so it cannot overwrite stored details.
  write: ({ login, method, methodType }) => ({ user: login, method, method_type: methodType }),
};

export const exportFormats = { user, coupon, order, click, registration, payout_details: payoutDetails };
