import type { Secrets } from '../master-key/secrets.ts';
import type { Transaction } from '../ports.ts';
import type { SecureRandom } from '../random.ts';
import type { Caller } from '../users/caller.ts';
import { webhookEvent } from './event.ts';
import { createSigningSecret } from './signature.ts';
import { formatLabel, type Webhook } from './webhook.ts';

export interface WebhookRequest {
  name: string;
  /** Checked: where the service may send to. As `plainUrl` writes it. */
  url: string;
  /** As `subscribable` leaves them. */
  events: string[];
}

export interface WebhookCreationContext {
  now: number;
  random: SecureRandom;
  secrets: Secrets;
}

/** The signing secret exists in the result and, encrypted, in storage. */
export async function createWebhook(
  { webhooks, events }: Transaction,
  caller: Caller,
  request: WebhookRequest,
  { now, random, secrets }: WebhookCreationContext,
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = createSigningSecret(random);
  const webhook = await webhooks.insert({
    ...request,
    encryptedSecret: secrets.encrypt(secret),
    createdBy: caller.user.id,
    createdAt: now,
  });
  const info = `Webhook ${formatLabel(webhook)} was created.`;
  await events.record(webhookEvent('webhook_created', webhook.id, { info, userId: caller.user.id, at: now }));
  return { webhook, secret };
}
