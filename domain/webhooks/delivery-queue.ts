import { ApiError } from '../errors.ts';
import type { EventRepository } from '../events/event.ts';
import { groupBy } from '../group-by.ts';
import type { MailRepository } from '../mail/mail.ts';
import { queueMail } from '../mail/mail-queue.ts';
import type { Sender } from '../mail/mail-templates.ts';
import type { Page, Paged } from '../page.ts';
import type { SecureRandom } from '../random.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { UserRepository } from '../users/repository.ts';
import type { ClaimedDelivery, Delivery, DeliveryOutcome } from './delivery.ts';
import { webhookDisabledMail } from './disabled-mail.ts';
import { computeHealth, needsHealthUpdate, probeMilliseconds } from './health.ts';
import { getWebhook } from './manage.ts';
import type { DeliveryRepository, DeliveryUpdate, WebhookRepository } from './repository.ts';
import { isSuccess, nextAttemptAt, toAttempt } from './schedule.ts';
import { formatLabel, testEvent, webhookEvent } from './webhook.ts';

/** Concurrency limit and current load of a worker. */
export interface Capacity {
  /** At most so many for one webhook: one slow receiver must not hold up the others. */
  perWebhook: number;
  /** Deliveries in flight in this process, by webhook. */
  inFlight: ReadonlyMap<number, number>;
}

interface Claiming extends Capacity {
  now: number;
  leaseMilliseconds: number;
  limit: number;
}

/** Leases due deliveries that no other worker has. */
export function claimDeliveries(
  { deliveries }: Transaction<{ deliveries: DeliveryRepository }>,
  { leaseMilliseconds, ...claiming }: Claiming,
): Promise<ClaimedDelivery[]> {
  const { now } = claiming;
  return deliveries.claim({ ...claiming, leasedUntil: now + leaseMilliseconds, nextProbeAt: now + probeMilliseconds });
}

/** Releases the leases of deliveries that were not attempted. */
export async function releaseDeliveries(
  { deliveries }: Transaction<{ deliveries: DeliveryRepository }>,
  claimed: readonly ClaimedDelivery[],
  now: number,
): Promise<void> {
  for (const delivery of claimed) await deliveries.release(delivery, now);
}

/** When there is next something to claim; null when nothing waits that this worker could take. */
export function nextDueAt({ deliveries }: { deliveries: DeliveryRepository }, { perWebhook, inFlight }: Capacity): Promise<number | null> {
  return deliveries.nextDueAt([...inFlight].filter(([, count]) => count >= perWebhook).map(([id]) => id));
}

interface SettlementRepositories {
  webhooks: WebhookRepository;
  deliveries: DeliveryRepository;
  users: UserRepository;
  events: EventRepository;
  mails: MailRepository;
}

export interface SettlementContext {
  now: number;
  random: SecureRandom;
  /** Whose mails the administrators get. */
  program: Sender;
}

export interface AttemptedDelivery {
  claimed: ClaimedDelivery;
  outcome: DeliveryOutcome;
}

/**
 * Records the outcomes of attempts, in the order in which they ended, except for deliveries whose lease another worker has taken over.
 * Workers do this concurrently, so everything is locked in one order: webhooks, deliveries, health, each by id.
 */
export async function settleDeliveries(
  transaction: Transaction<SettlementRepositories>,
  ended: readonly AttemptedDelivery[],
  context: SettlementContext,
): Promise<void> {
  if (ended.length === 0) return;
  const { webhooks, deliveries } = transaction;
  await webhooks.lock(idsOf(ended), idsOf(ended.filter(({ outcome }) => !isSuccess(outcome))));
  const held = await deliveries.lockClaimed(ended.map(({ claimed }) => claimed));
  const ours = ended.filter(({ claimed }) => held.has(claimed.lease + claimed.id));
  await deliveries.settle(ours.map(({ claimed, outcome }) => ({ id: claimed.id, ...settledBy(claimed, outcome, context) })));
  await deliveries.addAttempts(ours.map(({ claimed, outcome }) => ({ deliveryId: claimed.id, ...toAttempt(outcome, context.now) })));
  await updateHealth(transaction, ours, context);
}

const idsOf = (ended: readonly AttemptedDelivery[]): number[] => [...new Set(ended.map(({ claimed }) => claimed.webhookId))];

function settledBy({ attempt }: ClaimedDelivery, outcome: DeliveryOutcome, { now, random }: SettlementContext): DeliveryUpdate {
  if (isSuccess(outcome)) return { status: 'delivered', attempts: attempt, dueAt: null, finishedAt: now };
  const dueAt = nextAttemptAt(attempt, outcome, { now, random });
  return { status: dueAt === null ? 'failed' : 'pending', attempts: attempt, dueAt, finishedAt: dueAt === null ? now : null };
}

/** Once for each webhook, and only where its health changes. */
async function updateHealth(
  transaction: Transaction<SettlementRepositories>,
  ended: readonly AttemptedDelivery[],
  context: SettlementContext,
): Promise<void> {
  const { webhooks } = transaction;
  const { now } = context;
  const byWebhook = groupBy(ended, ({ claimed }) => claimed.webhookId);
  // A test sets `lastDeliveryAt` and counts no further, not even when it is sent again.
  const counted = groupBy(
    ended.filter(({ claimed }) => claimed.event !== testEvent),
    ({ claimed }) => claimed.webhookId,
  );
  const outcomesOf = (id: number): DeliveryOutcome[] => (counted.get(id) ?? []).map(({ outcome }) => outcome);
  const before = await webhooks.health([...byWebhook.keys()]);
  const changed = [...before].filter(([id, health]) => needsHealthUpdate(health, outcomesOf(id), now)).map(([id]) => id);
  if (changed.length === 0) return;
  for (const [id, health] of await webhooks.lockedHealth(changed)) {
    const { health: after, disabledBecause } = computeHealth(health, outcomesOf(id), now);
    await webhooks.setHealth(id, after);
    if (disabledBecause !== null) await disable(transaction, id, disabledBecause, context);
  }
}

/** Pending deliveries stay pending: see `changeWebhook`. */
async function disable(
  transaction: Transaction<SettlementRepositories>,
  id: number,
  reason: string,
  { now, program }: SettlementContext,
): Promise<void> {
  const { webhooks, users, events } = transaction;
  const webhook = await webhooks.byId(id);
  if (!webhook || !(await webhooks.setStatus(id, 'disabled'))) return;
  const info = `Webhook ${formatLabel(webhook)} was disabled. ${reason}`;
  await events.record(webhookEvent('webhook_disabled', id, { info, userId: 0, at: now }));
  for (const admin of await users.admins()) await queueMail(transaction, webhookDisabledMail(webhook, admin, reason, program, now));
}

/** How long the deliveries of a webhook are stored. */
const retentionMs = 30 * 86_400_000;

/** Newest first, each with its attempts. */
export async function listDeliveries(
  db: { webhooks: WebhookRepository; deliveries: DeliveryRepository },
  webhookId: number,
  page: Page,
): Promise<Paged<Delivery>> {
  await getWebhook(db, webhookId);
  return db.deliveries.page(webhookId, page);
}

interface ReplayedDelivery {
  id: number;
  /** Where it is given, a delivery of another webhook is not found. */
  webhookId?: number;
}

/** Sends a delivery again, regardless of its status, with the same id, so that receivers can deduplicate it. */
export async function replayDelivery(
  transaction: Transaction<{ webhooks: WebhookRepository; deliveries: DeliveryRepository }>,
  delivery: ReplayedDelivery,
  now: number,
): Promise<void> {
  const { deliveries } = transaction;
  const webhookId = await deliveries.webhookOf(delivery.id);
  if (webhookId === null || webhookId !== (delivery.webhookId ?? webhookId))
    throw new ApiError('svc_api_not_found', { message: 'There is no such delivery, or its webhook is gone.' });
  const { status } = await getWebhook(transaction, webhookId);
  if (status === 'disabled') throw new ApiError('svc_api_conflict', { message: 'Its webhook is disabled. Make it active first.' });
  await deliveries.requeue(delivery.id, now);
}

/** Deletes in small batches, so that other writes do not wait long. Returns the number deleted; `limit` means that there may be more. */
export const deleteOldDeliveries = (
  { deliveries }: Transaction<{ deliveries: DeliveryRepository }>,
  now: number,
  limit: number,
): Promise<number> => deliveries.deleteOld(now - retentionMs, limit);
