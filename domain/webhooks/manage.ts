import { ApiError } from '../errors.ts';
import type { EventRepository } from '../events/event.ts';
import type { MasterKeyRepository } from '../master-key/repository.ts';
import type { Secrets } from '../master-key/secrets.ts';
import type { SecureRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { Caller } from '../users/user.ts';
import type { ClaimedDelivery, DeliveryOutcome, WebhookMessage } from './delivery.ts';
import { computeHealth } from './health.ts';
import { createMessage, type MessageContext } from './message.ts';
import type { DeliveryRepository, WebhookRepository } from './repository.ts';
import { isSuccess, toAttempt } from './schedule.ts';
import { createSigningSecret } from './signature.ts';
import { formatLabel, hasReadableSecret, testEvent, type Webhook, type WebhookStatus, webhookEvent } from './webhook.ts';

export interface WebhookRequest {
  name: string;
  /** Checked: where the service may send to. As `normalizeUrl` returns it. */
  url: string;
  /** As `resolveSubscription` returns them. */
  events: string[];
  /** The next one when not given. */
  id?: number;
}

export interface WebhookCreationContext {
  now: number;
  random: SecureRandom;
  secrets: Secrets;
}

/** The signing secret exists in the result and, encrypted, in storage. */
export async function createWebhook(
  { webhooks, masterKeys, events }: Transaction<{ webhooks: WebhookRepository; masterKeys: MasterKeyRepository; events: EventRepository }>,
  caller: Caller,
  request: WebhookRequest,
  { now, random, secrets }: WebhookCreationContext,
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = createSigningSecret(random);
  const inserted = await webhooks.insert({ ...request, encryptedSecret: '', createdBy: caller.user.id, createdAt: now });
  // Bound to the id, which is assigned by then.
  const webhook = { ...inserted, encryptedSecret: secrets.encrypt(secret, inserted.id) };
  await masterKeys.replaceEncrypted('webhook_secret', webhook.id, webhook.encryptedSecret);
  const info = `Webhook ${formatLabel(webhook)} was created.`;
  await events.record(webhookEvent('webhook_created', webhook.id, { info, userId: caller.user.id, at: now }));
  return { webhook, secret };
}

interface WebhookChange {
  status?: WebhookStatus;
  /** As `resolveSubscription` returns them. */
  events?: string[];
}

/**
 * A disabled webhook gets nothing. Deliveries that were pending when it was disabled stay pending and are sent once it is active again;
 * events in between are not queued for it.
 */
export async function changeWebhook(
  transaction: Transaction<{ webhooks: WebhookRepository; events: EventRepository }>,
  caller: Caller,
  id: number,
  { status, events }: WebhookChange,
  now: number,
): Promise<Webhook> {
  const { webhooks } = transaction;
  const webhook = await getWebhook(transaction, id);
  if (events !== undefined) await webhooks.setEvents(id, events);
  if (status !== undefined && (await webhooks.setStatus(id, status))) {
    if (status === 'active') await webhooks.resetFailures(id);
    else await recordDisabled(transaction, caller, webhook, now);
  }
  return getWebhook(transaction, id);
}

export async function getWebhook({ webhooks }: { webhooks: WebhookRepository }, id: number): Promise<Webhook> {
  const webhook = await webhooks.byId(id);
  if (!webhook) throw new ApiError('svc_api_not_found');
  return webhook;
}

async function recordDisabled(
  { events }: Transaction<{ events: EventRepository }>,
  caller: Caller,
  webhook: Webhook,
  now: number,
): Promise<void> {
  const info = `Webhook ${formatLabel(webhook)} was disabled.`;
  await events.record(webhookEvent('webhook_disabled', webhook.id, { info, userId: caller.user.id, at: now }));
}

/** Newest first, page by page. Inside one read: the collection cannot move meanwhile. */
export async function listAllWebhooks(webhooks: Pick<WebhookRepository, 'page'>): Promise<Webhook[]> {
  const perPage = 500;
  const found: Webhook[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await webhooks.page({ page, perPage });
    found.push(...items);
    if (page * perPage >= total) return found;
  }
}

type TestDelivery = Omit<ClaimedDelivery, 'attempt' | 'lease'>;

/**
 * A ping with a number of its own, also for a webhook that is disabled: this is how to find out whether it can be active again. It is
 * stored before it is sent, so that ids are unique.
 */
export async function createTestDelivery(
  transaction: Transaction<{ webhooks: WebhookRepository; deliveries: DeliveryRepository }>,
  webhookId: number,
  sending: MessageContext,
): Promise<{ test: TestDelivery; message: WebhookMessage }> {
  const webhook = await getWebhook(transaction, webhookId);
  if (!hasReadableSecret(webhook, sending.secrets))
    throw new ApiError('svc_api_delivery_failed', { message: unreadable, data: { failure: 'other' } });
  const { url, encryptedSecret } = webhook;
  const payload = { event: testEvent, data: { message: 'This is a test delivery.' }, createdAt: sending.now };
  const id = await transaction.deliveries.insertTest({ webhookId, ...payload });
  const test = { id, webhookId, url, encryptedSecret, ...payload };
  return { test, message: createMessage(test, sending) };
}

const unreadable =
  'Nothing was sent: the signing secret of this webhook cannot be read, because it was made with another MASTER_KEY than the service has now.';

/** In the log and as the last delivery. Tests count no further. The webhook may be gone by now. */
export async function recordTestOutcome(
  { deliveries, webhooks }: Transaction<{ deliveries: DeliveryRepository; webhooks: WebhookRepository }>,
  { id, webhookId }: Pick<TestDelivery, 'id' | 'webhookId'>,
  outcome: DeliveryOutcome,
  now: number,
): Promise<void> {
  if (!(await deliveries.finishTest(id, isSuccess(outcome) ? 'delivered' : 'failed'))) return;
  await deliveries.addAttempts([{ deliveryId: id, ...toAttempt(outcome, now) }]);
  const health = (await webhooks.lockedHealth([webhookId])).get(webhookId);
  if (health) await webhooks.setHealth(webhookId, computeHealth(health, [], now).health);
}
