import { ApiError } from '../errors.ts';
import type { Transaction } from '../ports.ts';
import type { Caller } from '../users/caller.ts';
import { webhookEvent } from './event.ts';
import { formatLabel, type Webhook, type WebhookStatus } from './webhook.ts';

export interface WebhookChange {
  status?: WebhookStatus;
  /** As `subscribable` leaves them. */
  events?: string[];
}

/**
 * A disabled webhook gets nothing. What was waiting for it when it was disabled waits on and goes out once it is active again; what happens
 * in between is not kept for it.
 */
export async function changeWebhook(
  transaction: Transaction,
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
    else await tellDisabled(transaction, caller, webhook, now);
  }
  return getWebhook(transaction, id);
}

export async function getWebhook({ webhooks }: Pick<Transaction, 'webhooks'>, id: number): Promise<Webhook> {
  const webhook = await webhooks.byId(id);
  if (!webhook) throw new ApiError('svc_api_not_found');
  return webhook;
}

async function tellDisabled({ events }: Transaction, caller: Caller, webhook: Webhook, now: number): Promise<void> {
  const info = `Webhook ${formatLabel(webhook)} was disabled.`;
  await events.record(webhookEvent('webhook_disabled', webhook.id, { info, userId: caller.user.id, at: now }));
}
