import type { Secrets } from '../master-key/secrets.ts';
import { type ClaimedDelivery, deliveryName, type WebhookMessage } from './delivery.ts';
import { createSignedHeaders } from './signature.ts';

export interface WebhookPayload {
  /** With its prefix: `dlv_88`. */
  id: string;
  event: string;
  createdAt: number;
  data: unknown;
}

/** The body that a receiver gets. `site` identifies the store. */
export function formatBody({ id, event, createdAt, data }: WebhookPayload, site: string): string {
  const created = `${new Date(createdAt).toISOString().slice(0, 19)}Z`;
  return JSON.stringify({ id, event, created, site, data });
}

export interface MessageContext {
  site: string;
  secrets: Secrets;
  now: number;
}

/** Signed for this attempt. @throws when the signing secret cannot be read: it was encrypted with another master key. */
export function createMessage(
  { id, webhookId, url, encryptedSecret, event, createdAt, data }: Omit<ClaimedDelivery, 'attempt' | 'lease'>,
  { site, secrets, now }: MessageContext,
): WebhookMessage {
  const deliveryId = deliveryName(id);
  const body = formatBody({ id: deliveryId, event, createdAt, data }, site);
  return { url, body, headers: createSignedHeaders({ secret: secrets.decrypt(encryptedSecret, webhookId), deliveryId, event, body, now }) };
}
