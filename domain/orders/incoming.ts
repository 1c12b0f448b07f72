import { netOf } from '../commission/commission.ts';
import type { Minor } from '../money.ts';
import { type Order, orderStatuses, type Rates } from './order.ts';

const amounts = ['total', 'discount', 'shipping', 'tax', 'refunded'] as const;
type Amount = (typeof amounts)[number];

/** An order as the store tells it. Telling it again is a change, or nothing. */
export interface IncomingOrder extends Pick<Order, 'orderId' | 'placedAt' | 'status' | Amount | 'quantity'> {
  couponId?: number | undefined;
  /** Asked only where there is no id. */
  couponCode?: string | undefined;
  campaign?: string | undefined;
  /** The rates it was recorded at elsewhere, for a store that moves. Heeded at the first recording only, like the coupon's own. */
  rates?: { [Rate in keyof Rates]?: Rates[Rate] | undefined } | undefined;
  /** The shop's random id of the visitor. */
  visitor?: string | undefined;
}

/** `unattributed`: nobody referred it, so it is none of the program's business, and is not kept. */
export type OrderOutcome =
  | { orderId: number; outcome: 'recorded' | 'changed' | 'unchanged' | 'unattributed' }
  | { orderId: number; outcome: 'refused'; reason: string };

// So far from the largest exact number that the sums of a store's lifetime stay exact too.
const largestAmount = 1_000_000_000_000;
const largestQuantity = 1_000_000;
const lastMoment = Date.parse('9999-12-30T00:00:00Z');

const isWhole = (value: number, largest: number): boolean => Number.isSafeInteger(value) && value >= 0 && value <= largest;

export const isBearable = (amount: Minor): boolean => isWhole(amount, largestAmount);

/** What not every database can hold as text: NUL and halves of characters. */
const unkeepable = /[\0\p{Surrogate}]/u;

/** Why an order cannot be taken in, whatever else is known; null when it can. */
export function refusalOf(order: IncomingOrder): string | null {
  if (!Number.isSafeInteger(order.orderId) || order.orderId < 1) return 'The order number must be a whole number above zero.';
  if (!orderStatuses.includes(order.status)) return `The status must be one of ${orderStatuses.join(', ')}.`;
  if (!isWhole(order.placedAt, lastMoment)) return 'The date must lie between the years 1970 and 9999.';
  for (const name of amounts) if (!isBearable(order[name])) return `The amount ${name} must be zero or more, and not beyond all bounds.`;
  if (!isWhole(order.quantity, largestQuantity)) return `The quantity must be a whole number from 0 to ${largestQuantity}.`;
  if (order.campaign !== undefined && unkeepable.test(order.campaign)) return 'The campaign holds characters that cannot be kept.';
  if (order.discount > order.total) return 'The discount is larger than the total.';
  if (order.refunded > netOf(order)) return 'The refund is larger than what was paid for the goods: the total less the discount.';
  return null;
}
