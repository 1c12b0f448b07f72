import type { Attempt, DeliveryStatus } from '../../domain/webhooks/delivery.ts';
import type { WebhookStatus } from '../../domain/webhooks/webhook.ts';
import { bigint, entity, generatedId, json, nullable, primary, text } from './columns.ts';

export const webhooks = entity('webhooks', {
  id: generatedId,
  name: text('name'),
  url: text('url'),
  events: json<string[]>('events'),
  status: text<WebhookStatus>('status'),
  encryptedSecret: text('encrypted_secret'),
  createdBy: bigint('created_by'),
  createdAt: bigint('created_at'),
});

export const webhookHealth = entity('webhook_health', {
  webhookId: primary(bigint('webhook_id')),
  failures: bigint('failures'),
  failingSince: nullable(bigint('failing_since')),
  nextProbeAt: nullable(bigint('next_probe_at')),
  lastDeliveryAt: nullable(bigint('last_delivery_at')),
  lastError: text('last_error'),
});

export const webhookDeliveries = entity('webhook_deliveries', {
  id: generatedId,
  webhookId: bigint('webhook_id'),
  event: text('event'),
  data: nullable(json<unknown>('data')),
  createdAt: bigint('created_at'),
  status: text<DeliveryStatus>('status'),
  attemptCount: bigint('attempts'),
  /** While the delivery is leased: the end of the lease. */
  dueAt: nullable(bigint('due_at')),
  lease: nullable(text('lease')),
  finishedAt: nullable(bigint('finished_at')),
});

export const webhookAttempts = entity('webhook_attempts', {
  id: generatedId,
  deliveryId: bigint('delivery_id'),
  at: bigint('attempted_at'),
  code: nullable(bigint('code')),
  failure: nullable(text<NonNullable<Attempt['failure']>>('failure')),
  error: text('error'),
  excerpt: text('excerpt'),
  milliseconds: bigint('milliseconds'),
});
