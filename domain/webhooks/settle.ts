import { groupBy } from '../group-by.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { webhookDisabledMail } from '../mail/webhook-mail.ts';
import type { Transaction } from '../ports.ts';
import type { Program } from '../program.ts';
import type { SecureRandom } from '../random.ts';
import { toAttempt } from './attempt.ts';
import type { ClaimedDelivery } from './delivery.ts';
import { webhookEvent } from './event.ts';
import { computeHealth, needsHealthUpdate } from './health.ts';
import { isSuccess, nextAttemptAt } from './schedule.ts';
import type { DeliveryOutcome } from './sending.ts';
import type { DeliveryUpdate } from './store.ts';
import { formatLabel, testEvent } from './webhook.ts';

export interface SettlementContext {
  now: number;
  random: SecureRandom;
  /** Whose mails the administrators get. */
  program: Pick<Program, 'storeName' | 'shopUrl'>;
}

export interface AttemptedDelivery {
  claimed: ClaimedDelivery;
  outcome: DeliveryOutcome;
}

/**
 * Keeps what came of attempts, in the order in which they ended. Where another worker has taken a delivery over meanwhile, it is that
 * worker's to record. Workers do this beside each other, so everything is locked in one order: webhooks, deliveries, health, each by id.
 */
export async function settleDeliveries(
  transaction: Transaction,
  ended: readonly AttemptedDelivery[],
  surroundings: SettlementContext,
): Promise<void> {
  if (ended.length === 0) return;
  const { webhooks, deliveries } = transaction;
  await webhooks.lock(idsOf(ended), idsOf(ended.filter(({ outcome }) => !isSuccess(outcome))));
  const held = await deliveries.lockClaimed(ended.map(({ claimed }) => claimed));
  const ours = ended.filter(({ claimed }) => held.has(claimed.lease + claimed.id));
  await deliveries.settle(ours.map(({ claimed, outcome }) => ({ id: claimed.id, ...settledBy(claimed, outcome, surroundings) })));
  await deliveries.addAttempts(ours.map(({ claimed, outcome }) => ({ deliveryId: claimed.id, ...toAttempt(outcome, surroundings.now) })));
  // Tests never count, not even when they are sent again.
  await noteHealth(
    transaction,
    ours.filter(({ claimed }) => claimed.event !== testEvent),
    surroundings,
  );
}

const idsOf = (ended: readonly AttemptedDelivery[]): number[] => [...new Set(ended.map(({ claimed }) => claimed.webhookId))];

function settledBy({ attempt }: ClaimedDelivery, outcome: DeliveryOutcome, { now, random }: SettlementContext): DeliveryUpdate {
  if (isSuccess(outcome)) return { status: 'delivered', attempts: attempt, dueAt: null, finishedAt: now };
  const dueAt = nextAttemptAt(attempt, outcome, { now, random });
  return { status: dueAt === null ? 'failed' : 'pending', attempts: attempt, dueAt, finishedAt: dueAt === null ? now : null };
}

/** Once for each webhook, and only where there is something to say. */
async function noteHealth(transaction: Transaction, ended: readonly AttemptedDelivery[], surroundings: SettlementContext): Promise<void> {
  const { webhooks } = transaction;
  const { now } = surroundings;
  const byWebhook = groupBy(ended, ({ claimed }) => claimed.webhookId);
  const outcomesOf = (id: number): DeliveryOutcome[] => (byWebhook.get(id) ?? []).map(({ outcome }) => outcome);
  const before = await webhooks.health([...byWebhook.keys()]);
  const noteworthy = [...before].filter(([id, health]) => needsHealthUpdate(health, outcomesOf(id), now)).map(([id]) => id);
  if (noteworthy.length === 0) return;
  for (const [id, health] of await webhooks.lockedHealth(noteworthy)) {
    const { health: after, disabledBecause } = computeHealth(health, outcomesOf(id), now);
    await webhooks.setHealth(id, after);
    if (disabledBecause !== null) await disable(transaction, id, disabledBecause, surroundings);
  }
}

/** What still waits for it waits on: see `changeWebhook`. */
async function disable(transaction: Transaction, id: number, reason: string, { now, program }: SettlementContext): Promise<void> {
  const { webhooks, users, events } = transaction;
  const webhook = await webhooks.byId(id);
  if (!webhook || !(await webhooks.setStatus(id, 'disabled'))) return;
  const info = `Webhook ${formatLabel(webhook)} was disabled. ${reason}`;
  await events.record(webhookEvent('webhook_disabled', id, { info, userId: 0, at: now }));
  for (const admin of await users.admins()) await queueMail(transaction, webhookDisabledMail(webhook, admin, reason, program, now));
}
