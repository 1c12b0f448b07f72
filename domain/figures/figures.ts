import type { DayRange } from '../dates.ts';
import { groupBy } from '../group-by.ts';
import type { Minor } from '../money.ts';
import { type OrderStatus, orderStatuses } from '../orders/order.ts';

/** What the orders of a coupon amount to. Only those that count as sales are in the first five; all are counted by status. */
export interface Figures {
  ordersCount: number;
  sales: Minor;
  discount: Minor;
  shipping: Minor;
  commission: Minor;
  statusCounts: Record<OrderStatus, number>;
}

export interface DayFigures extends Figures {
  day: string;
}

/** A change of a coupon's figures on a day, to be added to the stored ones. */
export interface FigureChange extends DayFigures {
  couponId: number;
}

/** The stored all-time figures of a coupon. */
export interface Snapshot extends Figures {
  couponId: number;
  /** Grows with every write to the coupon's orders: figures of another version are stale. */
  version: number;
  refreshedAt: number | null;
}

/** A coupon, or all coupons of a user together. */
export type FigureSubject = { couponId: number } | { userId: number };

/** False for a coupon that never had an order and was never refreshed: its figures are zero because nothing is there to add up. */
export const isStored = ({ version, refreshedAt }: Snapshot): boolean => version > 0 || refreshedAt !== null;

export function sumFigures(parts: Iterable<Figures>): Figures {
  const sum: Figures = { ordersCount: 0, sales: 0, discount: 0, shipping: 0, commission: 0, statusCounts: noneByStatus() };
  for (const part of parts) {
    sum.ordersCount += part.ordersCount;
    sum.sales += part.sales;
    sum.discount += part.discount;
    sum.shipping += part.shipping;
    sum.commission += part.commission;
    for (const status of orderStatuses) sum.statusCounts[status] += part.statusCounts[status];
  }
  return sum;
}

const noneByStatus = (): Figures['statusCounts'] =>
  Object.fromEntries(orderStatuses.map((status) => [status, 0])) as Figures['statusCounts'];

/** The changes of each coupon and day as one. */
export const mergeByDay = (changes: Iterable<FigureChange>): FigureChange[] =>
  [...groupBy(changes, ({ couponId, day }) => `${couponId} ${day}`).values()].flatMap((own) => {
    const [first] = own;
    return first ? [{ couponId: first.couponId, day: first.day, ...sumFigures(own) }] : [];
  });

/** Sums of orders by coupon and day, and in all, updated with each write of an order. */
export interface FigureRepository {
  /** Whether anything is stored by day of the store's calendar: an order, a click or a payout. */
  anyDays(): Promise<boolean>;
  /** Adds to the stored figures, and increments the version of every named coupon, also where no figure changes. */
  add(changes: readonly FigureChange[]): Promise<void>;
  /** One for each coupon, by its id; with nothing in it where nothing is stored. */
  snapshotsOf(couponIds: readonly number[]): Promise<Map<number, Snapshot>>;
  /** All-time, of all coupons of a user together. The version changes with every write to them, and with which ones they are. */
  ofUser(userId: number): Promise<Figures & { version: string }>;
  inRange(subject: FigureSubject, range: DayRange): Promise<Figures>;
  /** By coupon id; those without orders in the range are left out. */
  inRangeByCoupon(couponIds: readonly number[], range: DayRange): Promise<Map<number, Figures>>;
  /** Oldest day first; days without orders are left out. */
  byDay(subject: FigureSubject, range: DayRange): Promise<DayFigures[]>;
  /** Takes the right to rebuild for so many seconds. 0 when it was free and is taken now, else the seconds until it is free. */
  claimRefresh(couponId: number, now: number, seconds: number): Promise<number>;
  /** Replaces all stored days. Returns false and changes nothing when the coupon's orders were written since that version. */
  replace(couponId: number, version: number, days: readonly FigureChange[], refreshedAt: number): Promise<boolean>;
}
