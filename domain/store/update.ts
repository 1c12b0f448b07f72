import type { Minor } from '../money.ts';
import type { IncomingOrder } from '../orders/incoming.ts';

/** The refunds of an order by the platform's refund id. */
export interface Refunds {
  byId: Readonly<Record<string, Minor>>;
  /** True where the payload lists all refunds, so that one which is missing was deleted. */
  isComplete: boolean;
  /** The part of each amount that is goods. Null where the amounts are of the goods alone. */
  goods: { net: Minor; orderTotal: Minor } | null;
  /** The goods of all of them together, where they were read line by line. */
  exact?: Minor | null;
}

/** The state of an order, as a store platform sends it. */
export interface PlatformOrder {
  kind: 'order';
  order: Pick<
    IncomingOrder,
    'orderId' | 'placedAt' | 'status' | 'total' | 'discount' | 'shipping' | 'tax' | 'quantity' | 'campaign' | 'visitor'
  >;
  /** The codes that the customer used. */
  codes: readonly string[];
  /** By the clock of the platform. */
  modifiedAt: number;
  isTrashed: boolean;
  /** Taken back from the trash, if it was there: then applied even if it is older than what is stored. */
  isRestored: boolean;
  refunds: Refunds;
  /** Whether the amounts of its refunds include tax where they come without the order. */
  includesTax: boolean;
}

/** A deleted order, of which the platform sends the number alone. */
export interface PlatformCancellation {
  kind: 'cancellation';
  orderId: number;
}

/** A refund without its order, which alone says whether the amounts include tax. */
export interface PlatformRefund {
  kind: 'refund';
  orderId: number;
  refunds: Refunds;
  /** The same refunds less their tax. */
  withoutTax: Refunds['byId'];
}

export type PlatformUpdate = PlatformOrder | PlatformCancellation | PlatformRefund;

export const orderIdOf = (update: PlatformUpdate): number => (update.kind === 'order' ? update.order.orderId : update.orderId);

/** What is stored of the last update of an order, to decide about the next one. */
export interface PlatformState {
  orderId: number;
  modifiedAt: number;
  refunds: Readonly<Record<string, Minor>>;
  /** The goods of these refunds, where they were read line by line. */
  exactRefund: Minor | null;
  includesTax: boolean;
  /** Deleted or in the trash of the platform. */
  isDeleted: boolean;
}
