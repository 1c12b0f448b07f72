import type { Transaction } from '../ports.ts';
import { attemptOf } from './attempt.ts';
import { existing } from './change.ts';
import type { ClaimedDelivery } from './delivery.ts';
import { isSuccess } from './schedule.ts';
import type { Outcome } from './sending.ts';

export type TestDelivery = Omit<ClaimedDelivery, 'attempt' | 'lease'>;

/**
 * A ping with a number of its own, also for a webhook that is disabled: this is how to find out whether it can be active again. It is
 * written down before it is sent, so that no number is ever given to two deliveries.
 */
export async function beginTest(transaction: Transaction, webhookId: number, now: number): Promise<TestDelivery> {
  const { url, encryptedSecret } = await existing(transaction, webhookId);
  const told = { event: 'ping', data: { message: 'This is a test delivery.' }, createdAt: now };
  const id = await transaction.deliveries.insertTest({ webhookId, ...told });
  return { id, webhookId, url, encryptedSecret, ...told };
}

/** In the log, and nowhere else: tests never count. Its webhook may be gone by now. */
export async function finishTest({ deliveries }: Transaction, { id }: TestDelivery, outcome: Outcome, now: number): Promise<void> {
  if (await deliveries.finishTest(id, isSuccess(outcome) ? 'delivered' : 'failed'))
    await deliveries.addAttempt(id, attemptOf(outcome, now));
}
