import type { components } from '../../generated/api.d.ts';
import type { Page, Paged } from '../page.ts';
import type { PlatformState } from './update.ts';

export type StorePlatform = components['schemas']['StorePlatform'];

/** The platform's webhooks are accepted at `/connect/<id>`. */
export interface StoreConnection {
  id: string;
  /** The name of its connector. */
  platform: StorePlatform;
  name: string;
  /** Null until the operator has entered the secret of the platform. */
  encryptedSecret: string | null;
  createdAt: number;
  /** Null while it is active. */
  disconnectedAt: number | null;
  /** The shop, whose REST API `affiliate store pull` reads. Null if the operator gave none. */
  apiUrl: string | null;
  apiKey: string | null;
  encryptedApiSecret: string | null;
  /** Every change of an order until then was pulled, by the clock of the shop. Null before the first pull. */
  pulledTo: number | null;
  /** The same for orders in the trash, which the shop lists apart. */
  trashPulledTo: number | null;
  /** When the last pull was complete. */
  pulledAt: number | null;
}

export type ConnectionApi = Pick<StoreConnection, 'apiUrl' | 'apiKey' | 'encryptedApiSecret'>;
export type PullState = Pick<StoreConnection, 'pulledTo' | 'trashPulledTo' | 'pulledAt'>;

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

export interface ConnectionRepository {
  byId(id: string): Promise<StoreConnection | null>;
  byIds(ids: readonly string[]): Promise<StoreConnection[]>;
  /** At most one is not disconnected. */
  active(): Promise<StoreConnection | null>;
  /** Newest first. */
  all(): Promise<StoreConnection[]>;
  /** Newest first. */
  page(page: Page): Promise<Paged<StoreConnection>>;
  insert(connection: StoreConnection): Promise<void>;
  setSecret(id: string, encryptedSecret: string | null): Promise<void>;
  setApi(id: string, api: Partial<ConnectionApi>): Promise<void>;
  savePull(id: string, pull: Partial<PullState>): Promise<void>;
  disconnect(id: string, at: number): Promise<void>;
  addDeliveries(deliveries: readonly StoreDelivery[]): Promise<void>;
  /** Newest first: all, or those with this reason. */
  deliveries(connectionId: string, page: Page, reason?: string): Promise<Paged<StoreDelivery & { id: number }>>;
  /** The reasons in the log since a moment, with the number of deliveries. */
  reasons(connectionId: string, since: number): Promise<{ reason: string; count: number }[]>;
  /** The topics in the log, with the number of deliveries. */
  topics(connectionId: string): Promise<{ topic: string; count: number }[]>;
  /** Returns the number deleted. */
  deleteDeliveriesBefore(moment: number, limit: number): Promise<number>;
  orderStates(orderIds: readonly number[]): Promise<PlatformState[]>;
  /** The newest change of an order, by the clock of the platform. Null without orders. */
  newestModification(): Promise<number | null>;
  saveOrderStates(states: readonly PlatformState[]): Promise<void>;
}
