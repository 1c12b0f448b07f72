import { randomUUID } from 'node:crypto';
import { type EntityManager, In, IsNull, MoreThan, Not } from 'typeorm';
import type { NewEvent } from '../../domain/events/event.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Page, Paged } from '../../domain/page.ts';
import type { Attempt, ClaimedDelivery, Delivery, WebhookNotification, WebhookNotifier } from '../../domain/webhooks/delivery.ts';
import type { DeliveryClaim, DeliveryRepository, DeliveryUpdate, NewTest } from '../../domain/webhooks/repository.ts';
import { allEvents } from '../../domain/webhooks/webhook.ts';
import { bigint, isId, nullable, text, toSafeInteger } from '../entities/columns.ts';
import { settings } from '../entities/engine.ts';
import { webhookAttempts, webhookDeliveries, webhookHealth } from '../entities/webhooks.ts';
import { toStorable } from '../sql/conditions.ts';
import { insertRows, insertWithId, isAmong, joinsRow, jsonRows, jsonTable } from '../sql/insert.ts';
import { findPage, isPostgres, projectionOf, queryReturning } from '../sql/projection.ts';

// By hand: what is set-based, so that any number of events, webhooks or attempts takes the same few statements. Every write that records an
// event looks for subscribed webhooks (benchmark rows `ingest` and `request-payout`).

/** `onOutgoing` is called for every delivery that waits to be sent once this transaction is committed. */
export const deliveryRepository = (manager: EntityManager, onOutgoing: () => void): DeliveryRepository => ({
  claim: (claim) => claimDue(manager, claim),
  nextDueAt: (except) => nextDueAt(manager, except),
  lockClaimed: (claimed) => lockClaimed(manager, claimed),
  settle: (settled) => settle(manager, settled),
  release: async ({ id, lease }, dueAt) => {
    await manager.update(webhookDeliveries, { id, lease }, { lease: null, dueAt });
    onOutgoing();
  },
  clampSchedule: (now, longest) => clampSchedule(manager, now, longest),
  addAttempts: (attempts) => addAttempts(manager, attempts),
  insertTest: (test) => insertTest(manager, test),
  finishTest: async (id, status) => (await manager.update(webhookDeliveries, { id }, { status })).affected === 1,
  webhookOf: async (id) => {
    const found = isId(id) ? await manager.findOne(webhookDeliveries, { select: { webhookId: true }, where: { id } }) : null;
    return found?.webhookId ?? null;
  },
  requeue: async (id, dueAt) => {
    // A worker that has it leased loses its lease with this.
    await manager.update(webhookDeliveries, { id }, { status: 'pending', attemptCount: 0, dueAt, lease: null, finishedAt: null });
    onOutgoing();
  },
  page: (webhookId, page) => pageOfDeliveries(manager, webhookId, page),
  deleteOld: (before, limit) => deleteOld(manager, before, limit),
});

async function clampSchedule(
  manager: EntityManager,
  now: number,
  { lease, waits, probe }: Parameters<DeliveryRepository['clampSchedule']>[1],
): Promise<void> {
  const atMost = (dueAt: number, which: object): Promise<unknown> =>
    manager.update(webhookDeliveries, { status: 'pending', dueAt: MoreThan(dueAt), ...which }, { dueAt });
  await atMost(now + lease, { lease: Not(IsNull()) });
  for (const [attemptCount, wait] of waits.entries()) await atMost(now + wait, { lease: IsNull(), attemptCount });
  await manager.update(webhookHealth, { nextProbeAt: MoreThan(now + probe) }, { nextProbeAt: now + probe });
}

/** As one that failed, which it is until the response is there. */
function insertTest(manager: EntityManager, { id, ...test }: NewTest): Promise<number> {
  const state = { status: 'failed', attemptCount: 0, finishedAt: test.createdAt } as const;
  return insertWithId(manager, webhookDeliveries, { ...test, ...state }, id ?? null);
}

async function pageOfDeliveries(manager: EntityManager, webhookId: number, page: Page): Promise<Paged<Delivery>> {
  const query = manager.createQueryBuilder(webhookDeliveries, 'delivery').where('delivery.webhookId = :webhookId', { webhookId });
  const { items, total } = await findPage(query.orderBy('delivery.id', 'DESC'), page);
  const attempts = await newestAttempts(
    manager,
    items.map(({ id }) => id),
  );
  const byDelivery = groupBy(attempts, ({ deliveryId }) => deliveryId);
  return {
    items: items.map(({ id, event, createdAt, status, dueAt, finishedAt }) => {
      const own = (byDelivery.get(id) ?? []).map(({ id: _id, deliveryId: _deliveryId, ...attempt }) => attempt);
      return { id, webhookId, event, createdAt, status, dueAt, finishedAt, attempts: own };
    }),
    total,
  };
}

/** A delivery can be replayed any number of times. */
const maxListedAttempts = 20;

/** Of each delivery, oldest first. */
async function newestAttempts(manager: EntityManager, deliveryIds: readonly number[]) {
  if (deliveryIds.length === 0) return [];
  const ranked = manager
    .createQueryBuilder()
    .select('listed.id', 'id')
    .addSelect('row_number() over (partition by listed.delivery_id order by listed.id desc)', 'place')
    .from('webhook_attempts', 'listed')
    .where('listed.delivery_id in (:...deliveryIds)', { deliveryIds });
  return manager
    .createQueryBuilder(webhookAttempts, 'attempt')
    .where(`attempt.id in (select id from (${ranked.getQuery()}) as ranked where place <= :maxListedAttempts)`, { maxListedAttempts })
    .setParameters(ranked.getParameters())
    .orderBy('attempt.id')
    .getMany();
}

const finishedOrAbandoned = `
  select id from (select id from webhook_deliveries where finished_at < $1 order by finished_at limit $2) as finished
  union all
  select id from (
    select id from webhook_deliveries
    where webhook_id in (select id from webhooks where status = 'disabled') and status = 'pending' and due_at < $1 limit $2
  ) as waiting
  limit $2`;

async function deleteOld(manager: EntityManager, before: number, limit: number): Promise<number> {
  const sql = `delete from webhook_deliveries where id in (${finishedOrAbandoned}) returning id`;
  return (await queryReturning(manager, sql, [before, limit])).length;
}

const claimedProjection = projectionOf(webhookDeliveries, ['id', 'webhookId', 'event', 'data', 'createdAt', 'attemptCount', 'dueAt']);
const claimable = claimedProjection.plus({
  url: text('url'),
  encryptedSecret: text('encrypted_secret'),
  nextProbeAt: nullable(bigint('next_probe_at')),
});
type Claimable = ReturnType<typeof claimable.toObject>;

/** Enough to choose fairly from, and bounded where thousands of webhooks are active. */
const maxCandidates = 1000;

/** The few that are due longest, of each active webhook: a long queue of one does not delay the others. */
function dueOfEach(manager: EntityManager): string {
  const due = (columns: string): string => `
    select ${columns} from webhook_deliveries as own where own.webhook_id = webhooks.id and own.status = 'pending' and own.due_at <= $2
    order by own.due_at, own.id limit $3`;
  const each = isPostgres(manager)
    ? // Skips what another worker claims at this moment. A locked row is read as of the lock, so its columns are selected here.
      `cross join lateral (${due('own.*')} for update skip locked) as delivery`
    : `join webhook_deliveries as delivery on delivery.id in (${due('own.id')})`;
  return `
    select ${claimedProjection.list('delivery')}, url, encrypted_secret, next_probe_at from webhooks
    join webhook_health as health on health.webhook_id = webhooks.id ${each}
    where webhooks.status = 'active' and not webhooks.id ${isAmong(manager, 'bigint')} and coalesce(health.next_probe_at, 0) <= $2
    order by delivery.due_at, delivery.id limit ${maxCandidates}`;
}

async function claimDue(manager: EntityManager, claim: DeliveryClaim): Promise<ClaimedDelivery[]> {
  const { now, leasedUntil, limit, perWebhook, inFlight } = claim;
  const full = [...inFlight].filter(([, count]) => count >= perWebhook).map(([id]) => id);
  const rows: Record<string, unknown>[] = await manager.query(dueOfEach(manager), [JSON.stringify(full), now, perWebhook]);
  const fair = byFairness(rows.map(claimable.toObject), claim).slice(0, limit);
  const probed = await claimProbes(manager, fair, claim);
  const chosen = fair.filter(({ webhookId, nextProbeAt }) => nextProbeAt === null || probed.has(webhookId));
  const lease = randomUUID();
  if (chosen.length > 0) await manager.update(webhookDeliveries, { id: In(chosen.map(({ id }) => id)) }, { lease, dueAt: leasedUntil });
  return chosen.map(({ attemptCount, dueAt: _dueAt, nextProbeAt: _nextProbeAt, ...delivery }) => ({
    ...delivery,
    attempt: attemptCount + 1,
    lease,
  }));
}

/**
 * The webhooks whose probe this transaction may send. Of concurrent workers one gets it; a row that another has locked is skipped, because
 * each already holds locks of its own.
 */
async function claimProbes(
  manager: EntityManager,
  due: readonly Claimable[],
  { now, nextProbeAt }: DeliveryClaim,
): Promise<ReadonlySet<number>> {
  const ids = due.filter((delivery) => delivery.nextProbeAt !== null).map(({ webhookId }) => webhookId);
  if (ids.length === 0) return new Set();
  const free = `select webhook_id from webhook_health where webhook_id ${isAmong(manager, 'bigint')} and next_probe_at <= $2
    order by webhook_id ${isPostgres(manager) ? 'for update skip locked' : ''}`;
  const sql = `update webhook_health set next_probe_at = $3 where webhook_id in (${free}) returning webhook_id`;
  const claimed = await queryReturning(manager, sql, [JSON.stringify(ids), now, nextProbeAt]);
  return new Set(claimed.map(({ webhook_id }) => toSafeInteger(webhook_id)));
}

/** Webhooks with the fewest deliveries in flight first, the longest due first among those; none gets more than `perWebhook`, or than one probe. */
function byFairness(due: readonly Claimable[], { perWebhook, inFlight }: DeliveryClaim): Claimable[] {
  const counts = new Map(inFlight);
  const placed = due
    .toSorted((one, other) => Number(one.dueAt) - Number(other.dueAt) || one.id - other.id)
    .map((delivery) => {
      const place = (counts.get(delivery.webhookId) ?? 0) + 1;
      counts.set(delivery.webhookId, place);
      return { delivery, place };
    });
  // The sort is stable, so deliveries of one place stay in the order of their due times.
  return placed
    .filter(({ place, delivery }) => place <= (delivery.nextProbeAt === null ? perWebhook : 1 + (inFlight.get(delivery.webhookId) ?? 0)))
    .toSorted((one, other) => one.place - other.place)
    .map(({ delivery }) => delivery);
}

/** One index look-up for each webhook. */
const nextOfEach = (manager: EntityManager): string => `
  select min(case when next_probe_at > next_at then next_probe_at else next_at end) as at from (
    select (select min(due_at) from webhook_deliveries as own where own.webhook_id = webhooks.id and own.status = 'pending') as next_at,
      next_probe_at
    from webhooks join webhook_health as health on health.webhook_id = webhooks.id
    where status = 'active' and not webhooks.id ${isAmong(manager, 'bigint')}
  ) as waiting
  where next_at is not null`;

async function nextDueAt(manager: EntityManager, except: readonly number[]): Promise<number | null> {
  const [row]: { at: unknown }[] = await manager.query(nextOfEach(manager), [JSON.stringify(except)]);
  return row === undefined || row.at === null ? null : toSafeInteger(row.at);
}

async function lockClaimed(manager: EntityManager, claimed: readonly Pick<ClaimedDelivery, 'id' | 'lease'>[]): Promise<Set<string>> {
  const rows = await manager.find(webhookDeliveries, {
    select: { id: true, lease: true },
    where: { id: In(claimed.map(({ id }) => id)) },
    order: { id: 'ASC' },
    ...(isPostgres(manager) ? { lock: { mode: 'pessimistic_write' } as const } : {}),
  });
  const leases = new Map(rows.map(({ id, lease }) => [id, lease]));
  return new Set(claimed.filter(({ id, lease }) => leases.get(id) === lease).map(({ id, lease }) => lease + id));
}

const settledColumns = { settled_id: 'bigint', new_status: 'text', made: 'bigint', next_at: 'bigint', ended_at: 'bigint' } as const;

async function settle(manager: EntityManager, settled: readonly (DeliveryUpdate & { id: number })[]): Promise<void> {
  if (settled.length === 0) return;
  const rows = settled.map(({ id, status, attempts, dueAt, finishedAt }) => [id, status, attempts, dueAt, finishedAt]);
  await manager.query(
    `update webhook_deliveries set status = new_status, attempts = made, due_at = next_at, finished_at = ended_at, lease = null
     from ${jsonTable(manager, settledColumns)} as settled where ${joinsRow(manager, 'id', 'settled_id')}`,
    jsonRows(rows),
  );
}

async function addAttempts(manager: EntityManager, attempts: readonly (Attempt & { deliveryId: number })[]): Promise<void> {
  const rows = attempts.map((attempt) => ({
    ...attempt,
    error: toStorable(attempt.error),
    excerpt: toStorable(attempt.excerpt),
    // A clock may return fractions.
    milliseconds: Math.round(attempt.milliseconds),
  }));
  await insertRows(manager, webhookAttempts, rows);
}

/**
 * Finds out which deliveries these events cause, by one statement. Returns a function that queues one for each active webhook that has
 * subscribed, by one statement too; null where there is none.
 */
export async function prepareDeliveries(
  manager: EntityManager,
  events: readonly NewEvent[],
  notify: WebhookNotifier,
): Promise<(() => Promise<unknown>) | null> {
  if (events.length === 0) return null;
  const { subscribed, storedSettings } = await subscriptions(manager);
  if (subscribed.size === 0) return null;
  const notifications = await notify(events, { subscribed, storedSettings });
  const wanted = subscribed.has(allEvents) ? notifications : notifications.filter(({ event }) => subscribed.has(event));
  return wanted.length === 0 ? null : () => manager.query(insertDeliveries(manager), jsonRows(wanted.map(notificationValues)));
}

const setting = projectionOf(settings);

/** The events that active webhooks subscribe to, as many rows as there are names, and where there are any the settings. */
async function subscriptions(manager: EntityManager): Promise<{ subscribed: Set<string>; storedSettings: Record<string, unknown> }> {
  const names = isPostgres(manager) ? 'jsonb_array_elements_text(cast(events as jsonb)) as names (value)' : 'json_each(events)';
  const rows: { path: string | null; value: string }[] = await manager.query(`
    select distinct null as path, names.value from webhooks, ${isPostgres(manager) ? names : `${names} as names`} where status = 'active'
    union all
    select path, value from settings where exists (select 1 from webhooks where status = 'active')`);
  const stored = rows.filter(({ path }) => path !== null);
  return {
    subscribed: new Set(rows.filter(({ path }) => path === null).map(({ value }) => value)),
    storedSettings: Object.fromEntries(stored.map(setting.toObject).map(({ path, value }) => [path, value])),
  };
}

const notificationColumns = { event: 'text', data: 'text', created_at: 'bigint' } as const;
const notificationValues = ({ event, data, at }: WebhookNotification): unknown[] => [event, data && JSON.stringify(data), at];

// The list of events is JSON: a name is in the list where it is in the text with its quotes, because no name has a quote in it.
const insertDeliveries = (manager: EntityManager): string => `
  insert into webhook_deliveries (webhook_id, event, data, created_at, status, attempts, due_at, lease, finished_at)
  select webhooks.id, notification.event, notification.data, notification.created_at, 'pending', 0, notification.created_at, null, null
  from ${jsonTable(manager, notificationColumns)} as notification
  join webhooks on webhooks.events = '["${allEvents}"]' or replace(webhooks.events, '"' || notification.event || '"', '') <> webhooks.events
  where webhooks.status = 'active'`;
