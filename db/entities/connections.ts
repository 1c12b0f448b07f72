import type { StoreOutcome, StorePlatform } from '../../domain/store/connection.ts';
import { bigint, boolean, entity, generatedId, json, nullable, primary, text, withDefault } from './columns.ts';

export const storeConnections = entity('store_connections', {
  id: primary(text('id')),
  platform: text<StorePlatform>('platform'),
  name: text('name'),
  encryptedSecret: nullable(text('encrypted_secret')),
  createdAt: bigint('created_at'),
  disconnectedAt: nullable(bigint('disconnected_at')),
  apiUrl: nullable(text('api_url')),
  apiKey: nullable(text('api_key')),
  encryptedApiSecret: nullable(text('encrypted_api_secret')),
  pulledTo: nullable(bigint('pulled_to')),
  trashPulledTo: nullable(bigint('trash_pulled_to')),
  pulledAt: nullable(bigint('pulled_at')),
});

export const storeDeliveries = entity('store_deliveries', {
  id: generatedId,
  connectionId: text('connection_id'),
  receivedAt: bigint('received_at'),
  topic: text('topic'),
  orderId: nullable(bigint('order_id')),
  outcome: text<StoreOutcome>('outcome'),
  reason: nullable(text('reason')),
});

export const storeOrders = entity('store_orders', {
  orderId: primary(bigint('order_id')),
  modifiedAt: bigint('modified_at'),
  refunds: json<Readonly<Record<string, number>>>('refunds'),
  exactRefund: nullable(bigint('exact_refund')),
  includesTax: withDefault(boolean('includes_tax'), 0),
  paid: nullable(bigint('paid_minor')),
  isDeleted: withDefault(boolean('is_deleted'), 0),
  connectionId: nullable(text('connection_id')),
});
