import { postMail } from '../mail/post.ts';
import { webhookDisabledMail } from '../mail/webhook-mail.ts';
import type { Transaction } from '../ports.ts';
import type { Program } from '../program.ts';
import type { SecureRandom } from '../random.ts';
import { attemptOf } from './attempt.ts';
import type { ClaimedDelivery } from './delivery.ts';
import { webhookEvent } from './event.ts';
import { isGone, isSuccess, nextAttemptAt } from './schedule.ts';
import type { Outcome } from './sending.ts';
import type { Settled } from './store.ts';
import { labelOf } from './webhook.ts';

/** Decision 10: so many failures in a row disable a webhook. */
const failuresAllowed = 25;

export interface Surroundings {
  now: number;
  random: SecureRandom;
  /** Whose mails the administrators get. */
  program: Pick<Program, 'storeName' | 'shopUrl'>;
}

/** Keeps what came of an attempt. Where another worker has taken the delivery over meanwhile, it is that worker's to tell. */
export async function settleDelivery(
  transaction: Transaction,
  claimed: ClaimedDelivery,
  outcome: Outcome,
  surroundings: Surroundings,
): Promise<void> {
  const { webhooks, deliveries } = transaction;
  const { now } = surroundings;
  if (!(await deliveries.settle(claimed, settledBy(claimed, outcome, surroundings)))) return;
  const attempt = attemptOf(outcome, now);
  await deliveries.addAttempt(claimed.id, attempt);
  if (isSuccess(outcome)) return webhooks.noteSuccess(claimed.webhookId, now);

  const failures = await webhooks.noteFailure(claimed.webhookId, now, attempt.error);
  if (isGone(outcome)) await disable(transaction, claimed.webhookId, 'Its receiver answered 410: it is gone.', surroundings);
  else if (failures >= failuresAllowed)
    await disable(transaction, claimed.webhookId, `${failures} attempts in a row failed. The last error: ${attempt.error}`, surroundings);
}

function settledBy({ attempt }: ClaimedDelivery, outcome: Outcome, { now, random }: Surroundings): Settled {
  if (isSuccess(outcome)) return { status: 'delivered', attempts: attempt, dueAt: null, finishedAt: now };
  const dueAt = nextAttemptAt(attempt, outcome, { now, random });
  return { status: dueAt === null ? 'failed' : 'pending', attempts: attempt, dueAt, finishedAt: dueAt === null ? now : null };
}

/** What still waits for it waits on: see `changeWebhook`. */
async function disable(transaction: Transaction, id: number, reason: string, { now, program }: Surroundings): Promise<void> {
  const { webhooks, users, events } = transaction;
  const webhook = await webhooks.byId(id);
  // Several attempts end after the one that was too many; one of them tells.
  if (!webhook || !(await webhooks.setStatus(id, 'disabled'))) return;
  const info = `Webhook ${labelOf(webhook)} was disabled. ${reason}`;
  await events.record(webhookEvent('webhook_disabled', id, { info, userId: 0, at: now }));
  for (const admin of await users.admins()) await postMail(transaction, webhookDisabledMail(webhook, admin, reason, program, now));
}
