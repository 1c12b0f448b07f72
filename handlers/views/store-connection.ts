import { getConnector } from '../../connectors/index.ts';
import { localDateTime } from '../../domain/dates.ts';
import type { StoreConnection, StoreDelivery } from '../../domain/store/connection.ts';
import type { components } from '../../generated/api.d.ts';
import type { Settings } from '../../site/settings/settings.ts';

type Schemas = components['schemas'];

export const connectionUrl = ({ id }: StoreConnection, { service }: Settings): string => `${service.url.replace(/\/+$/, '')}/connect/${id}`;

export const connectionStatus = ({ disconnectedAt, encryptedSecret }: StoreConnection): Schemas['StoreConnection']['status'] =>
  disconnectedAt !== null ? 'disconnected' : encryptedSecret === null ? 'without_secret' : 'active';

/** What to do in the shop. */
export const setupSteps = (connection: StoreConnection, settings: Settings): string[] =>
  getConnector(connection.platform).setup.steps.map((step) => step.replace('<url>', connectionUrl(connection, settings)));

/** Without its secrets. */
export const connectionView = (connection: StoreConnection, settings: Settings): Schemas['StoreConnection'] => ({
  id: connection.id,
  platform: connection.platform,
  name: connection.name,
  status: connectionStatus(connection),
  url: connectionUrl(connection, settings),
  date_created: localDateTime(connection.createdAt, settings.store.timezone),
  api_url: connection.apiUrl,
  last_pull: connection.pulledAt === null ? null : localDateTime(connection.pulledAt, settings.store.timezone),
  steps: setupSteps(connection, settings),
});

export const storeDeliveryView = (delivery: StoreDelivery, zone: string): Omit<Schemas['StoreNotification'], 'id'> => ({
  date: localDateTime(delivery.receivedAt, zone),
  topic: delivery.topic,
  order_id: delivery.orderId,
  outcome: delivery.outcome,
  reason: delivery.reason,
});
