import { fractionOf, type Minor } from '../money.ts';
import type { IncomingOrder } from '../order-recording/incoming.ts';

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
  /** The platform's id of the order. */
  externalId: string;
  order: Pick<
    IncomingOrder,
    'placedAt' | 'status' | 'total' | 'discount' | 'shipping' | 'tax' | 'quantity' | 'campaign' | 'visitor' | 'customerEmail'
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
  /** For the whole order, with tax and shipping. */
  paid: Minor;
  /** For the log of deliveries. */
  notice: string | null;
}

/** Quotes a status of up to 20 plain characters, and nothing else of the payload. */
export const unknownStatusNotice = (status: string): string =>
  `The status ${/^[a-z\d_-]{1,20}$/.test(status) ? status : '?'} is not in store.statuses: it counts as processing, and granted commission stays.`;

/** The status in such a notice. */
export const unknownStatusIn = (notice: string): string | undefined => /^The status (\S+) is not in store\.statuses/.exec(notice)?.[1];

/** A deleted order, of which the platform sends the id alone. */
export interface PlatformCancellation {
  kind: 'cancellation';
  externalId: string;
}

/** A refund without its order, which alone says whether the amounts include tax. */
export interface PlatformRefund {
  kind: 'refund';
  externalId: string;
  refundId: string;
  /** Of an order whose prices include tax. */
  withTax: RefundParts;
  withoutTax: RefundParts;
}

/** What a refund gave back. */
export interface RefundParts {
  /** By its lines, without tax. */
  goods: Minor;
  /** What neither lines nor tax nor shipping account for. */
  rest: Minor;
}

/** Of the rest, the part that the goods have in what was paid. */
export const goodsIn = ({ goods, rest }: RefundParts, net: Minor, paid: Minor): Minor =>
  goods + (paid > 0 ? fractionOf(rest, net, paid) : 0);

export type PlatformUpdate = PlatformOrder | PlatformCancellation | PlatformRefund;

/** An update with the number that the order has here, which its connector derives from the platform's id. */
export type NumberedUpdate = PlatformUpdate & { orderId: number };

/** With the connection that it arrived by. */
export type ConnectedUpdate = NumberedUpdate & { connectionId?: string };

/** What is stored of the last update of an order, by our number, to decide about the next one. */
export interface PlatformState {
  orderId: number;
  modifiedAt: number;
  refunds: Readonly<Record<string, Minor>>;
  /** The goods of these refunds, where they were read line by line. */
  exactRefund: Minor | null;
  includesTax: boolean;
  /** Null for orders that were recorded before this was stored. */
  paid: Minor | null;
  /** Deleted or in the trash of the platform. */
  isDeleted: boolean;
  /** Its first deliveries arrived by this connection. Null for orders that were recorded before this was stored. */
  connectionId: string | null;
}
