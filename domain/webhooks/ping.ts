import { ApiError } from '../errors.ts';
import type { Transaction } from '../ports.ts';
import { toAttempt } from './attempt.ts';
import { getWebhook } from './change.ts';
import type { ClaimedDelivery } from './delivery.ts';
import { createMessage, type MessageContext } from './message.ts';
import { hasReadableSecret } from './readable.ts';
import { isSuccess } from './schedule.ts';
import type { DeliveryOutcome, WebhookMessage } from './sending.ts';
import { testEvent } from './webhook.ts';

export type TestDelivery = Omit<ClaimedDelivery, 'attempt' | 'lease'>;

/**
 * A ping with a number of its own, also for a webhook that is disabled: this is how to find out whether it can be active again. It is
 * written down before it is sent, so that no number is ever given to two deliveries.
 */
export async function createTestDelivery(
  transaction: Transaction,
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

/** In the log, and nowhere else: tests never count. Its webhook may be gone by now. */
export async function recordTestOutcome(
  { deliveries }: Transaction,
  { id }: TestDelivery,
  outcome: DeliveryOutcome,
  now: number,
): Promise<void> {
  if (await deliveries.finishTest(id, isSuccess(outcome) ? 'delivered' : 'failed'))
    await deliveries.addAttempts([{ deliveryId: id, ...toAttempt(outcome, now) }]);
}
