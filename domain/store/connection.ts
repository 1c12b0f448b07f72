import type { PlatformState } from './update.ts';

export const platforms = ['woocommerce', 'shopify'] as const;
export type Platform = (typeof platforms)[number];

/** The platform's webhooks are accepted at `/connect/<id>`. */
export interface Connection {
  id: string;
  platform: Platform;
  name: string;
  /** Null until the operator has entered the secret of the platform. */
  encryptedSecret: string | null;
  createdAt: number;
  /** Null while it is active. */
  disconnectedAt: number | null;
}

export type StoreOutcome = 'created' | 'updated' | 'unchanged' | 'ignored' | 'refused';

/** A webhook of the platform. Neither its payload nor anything about the customer is stored. */
export interface StoreDelivery {
  connectionId: string;
  receivedAt: number;
  topic: string;
  orderId: number | null;
  outcome: StoreOutcome;
  reason: string | null;
}

export interface ConnectionStore {
  byId(id: string): Promise<Connection | null>;
  /** Newest first. */
  all(): Promise<Connection[]>;
  insert(connection: Connection): Promise<void>;
  setSecret(id: string, encryptedSecret: string | null): Promise<void>;
  disconnect(id: string, at: number): Promise<void>;
  addDeliveries(deliveries: readonly StoreDelivery[]): Promise<void>;
  /** Newest first. */
  deliveries(connectionId: string, limit: number): Promise<StoreDelivery[]>;
  /** Returns the number deleted. */
  deleteDeliveriesBefore(moment: number, limit: number): Promise<number>;
  orderStates(orderIds: readonly number[]): Promise<PlatformState[]>;
  /** The newest change of an order, by the clock of the platform. Null without orders. */
  newestModification(): Promise<number | null>;
  saveOrderStates(states: readonly PlatformState[]): Promise<void>;
}
