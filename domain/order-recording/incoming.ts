import { netOf } from '../commission/commission.ts';
import type { Minor } from '../money.ts';
import { type Order, orderStatuses } from '../orders/order.ts';
import type { Rates } from '../program.ts';

const amounts = ['total', 'discount', 'shipping', 'tax', 'refunded'] as const;
type Amount = (typeof amounts)[number];

/** An order as the store sends it. Sending it again is an update. */
export interface IncomingOrder extends Pick<Order, 'orderId' | 'placedAt' | 'status' | Amount | 'quantity'> {
  couponId?: number | undefined;
  /** Used only without an id. */
  couponCode?: string | undefined;
  campaign?: string | undefined;
  /** The rates it was recorded with in another system. Used at the first recording only. */
  rates?: { [Rate in keyof Rates]?: Rates[Rate] | undefined } | undefined;
  /** When its clearing days, which began in another system, are over. Used at the first recording only, as is `grantedAt`. */
  dueAt?: number | undefined;
  /** When its commission was granted in another system. */
  grantedAt?: number | undefined;
  /** The shop's random id of the visitor. */
  visitor?: string | undefined;
  /** The platform's id, of an order whose number the service has assigned. */
  externalId?: string | undefined;
  /** The shop's id of the subscription that it is a payment of. */
  subscription?: string | undefined;
  /** The hash of the platform's id of the customer, whose checkout may have been referred. */
  customerHash?: string | undefined;
  /** Of the customer. Compared with that of the affiliate, and never stored. */
  customerEmail?: string | undefined;
  /** An order that is complete because it is paid: its clearing days count from `placedAt`, also after a refund that was taken back. */
  isPayment?: boolean | undefined;
  /** Of several versions that were sent together. */
  lastVersion?: IncomingOrder;
}

/** For a list as the shop sends it, which may have several versions of an order. */
export function withLastVersions(orders: readonly IncomingOrder[]): IncomingOrder[] {
  const last = new Map(orders.map((order) => [order.orderId, order]));
  return orders.map((order) => {
    const lastVersion = last.get(order.orderId);
    return lastVersion && lastVersion !== order ? { ...order, lastVersion } : order;
  });
}

/** From here on the service assigns numbers, to orders of platforms whose ids are texts. */
export const firstAssignedNumber = 5_000_000_000_000_000;

/** `unattributed`: not a referred order, so it is not stored. */
export type OrderOutcome =
  | {
      orderId: number;
      outcome: 'recorded' | 'changed' | 'unchanged';
      couponId: number;
      commission: Minor;
      /** The subscription of which it is the first credited payment. */
      begins?: string;
    }
  | { orderId: number; outcome: 'unattributed'; isVisitorUnknown: boolean }
  | { orderId: number; outcome: 'refused'; reason: string };

// Low enough that sums over the lifetime of a store stay exact.
const largestAmount = 1_000_000_000_000;
const largestQuantity = 1_000_000;
const lastMoment = Date.parse('9999-12-30T00:00:00Z');

const isWhole = (value: number, largest: number): boolean => Number.isSafeInteger(value) && value >= 0 && value <= largest;

export const isValidAmount = (amount: Minor): boolean => isWhole(amount, largestAmount);

/** Text that PostgreSQL cannot store: NUL and lone surrogates. */
const unstorable = /[\0\p{Surrogate}]/u;

const dayMilliseconds = 86_400_000;

/** Shops number their orders alike, so an order is known by its number and the day on which it was placed. */
export const isOfAnotherShop = (stored: Pick<Order, 'placedAt'>, { placedAt }: Pick<Order, 'placedAt'>): boolean =>
  Math.abs(placedAt - stored.placedAt) > dayMilliseconds;

export const ofAnotherShop = 'The recorded order with this number was placed on another day: this one is of another shop.';

export const visitorIsUnknown =
  'No affiliate referred the order: no click of its visitor is known, and it names no coupon of an affiliate.';

export const numberIsAssigned = 'Order numbers from 5,000,000,000,000,000 upward are assigned by this service.';

/** Returns the reason for a refusal, or null for a valid order. */
export function validateOrder(order: IncomingOrder): string | null {
  if (!Number.isSafeInteger(order.orderId) || order.orderId < 1) return 'The order number must be a whole number above zero.';
  if (order.orderId >= firstAssignedNumber && order.externalId === undefined) return numberIsAssigned;
  if (!orderStatuses.includes(order.status)) return `The status must be one of ${orderStatuses.join(', ')}.`;
  if (!isWhole(order.placedAt, lastMoment)) return 'The date must lie between the years 1970 and 9999.';
  for (const name of amounts)
    if (!isValidAmount(order[name]))
      return `The amount ${name} must be zero or more, and at most 10,000,000,000.00 in a currency with two decimals.`;
  if (!isWhole(order.quantity, largestQuantity)) return `The quantity must be a whole number from 0 to ${largestQuantity}.`;
  if (order.campaign !== undefined && unstorable.test(order.campaign)) return 'The campaign contains characters that cannot be stored.';
  if (order.discount > order.total) return 'The discount is larger than the total.';
  if (order.refunded > netOf(order)) return 'The refund is larger than what was paid for the goods: the total less the discount.';
  return null;
}
