import type { Secrets } from '../secrets.ts';
import { type ClaimedDelivery, deliveryName } from './delivery.ts';
import type { WebhookMessage } from './sending.ts';
import { signedHeaders } from './signature.ts';

export interface Told {
  /** With its prefix: `dlv_88`. */
  id: string;
  event: string;
  createdAt: number;
  data: unknown;
}

/** What a receiver reads. `site` tells several stores apart. */
export function bodyOf({ id, event, createdAt, data }: Told, site: string): string {
  const created = `${new Date(createdAt).toISOString().slice(0, 19)}Z`;
  return JSON.stringify({ id, event, created, site, data });
}

export interface Sending {
  site: string;
  secrets: Secrets;
  now: number;
}

/** Signed for this attempt. @throws when the signing secret cannot be read: it was encrypted with another master key. */
export function messageOf(
  { id, url, encryptedSecret, event, createdAt, data }: Omit<ClaimedDelivery, 'attempt' | 'lease' | 'webhookId'>,
  { site, secrets, now }: Sending,
): WebhookMessage {
  const deliveryId = deliveryName(id);
  const body = bodyOf({ id: deliveryId, event, createdAt, data }, site);
  return { url, body, headers: signedHeaders({ secret: secrets.decrypt(encryptedSecret), deliveryId, event, body, now }) };
}
