import type { OrderStatus } from '../domain/orders/order.ts';
import type { PlatformUpdate } from '../domain/store/update.ts';
import type { Fields } from './payload.ts';

export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface TranslationOptions {
  currency: string;
  /** The store's own order statuses. */
  statuses: Readonly<Record<string, OrderStatus>>;
  completedWhen: 'paid' | 'fulfilled';
}

/** How one platform sends orders. */
export interface Connector {
  signatureHeader: string;
  topicHeader: string;
  /** Null for a topic, or an order, that does not concern the program. */
  translate(topic: string, payload: Fields, options: TranslationOptions): PlatformUpdate | null;
}
