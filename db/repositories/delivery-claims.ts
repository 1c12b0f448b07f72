import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { ClaimedDelivery } from '../../domain/webhooks/delivery.ts';
import type { DeliveryClaim } from '../../domain/webhooks/store.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { jsonList } from '../sql/json-parameters.ts';

interface DueRow {
  id: unknown;
  webhook_id: unknown;
  url: string;
  encrypted_secret: string;
  event: string;
  data: string | null;
  created_at: unknown;
  attempts: unknown;
  due_at: unknown;
}

/** From each active webhook the few that are due longest: however long the queue of one is, the others are looked at no later. */
function dueOfEach(manager: EntityManager): string {
  const due = (columns: string): string => `
    select ${columns} from webhook_deliveries as own where own.webhook_id = webhooks.id and own.status = 'pending' and own.due_at <= $2
    order by own.due_at, own.id limit $3`;
  const each =
    manager.connection.options.type === 'postgres'
      ? // Passes over what another worker claims at this moment. What is locked is seen as it is then, so its columns come from here.
        `cross join lateral (${due('own.*')} for update skip locked) as delivery`
      : `join webhook_deliveries as delivery on delivery.id in (${due('own.id')})`;
  return `
    select delivery.id, webhook_id, url, encrypted_secret, event, data, delivery.created_at, attempts, due_at
    from webhooks ${each}
    where webhooks.status = 'active' and webhooks.id not in ${jsonList(manager, 'bigint')}`;
}

const claimThese = (manager: EntityManager): string =>
  `update webhook_deliveries set lease = $2, due_at = $3 where id in ${jsonList(manager, 'bigint')}`;

export async function claimDue(manager: EntityManager, claim: DeliveryClaim): Promise<ClaimedDelivery[]> {
  const { now, leasedUntil, limit, perWebhook, inFlight } = claim;
  const full = [...inFlight].filter(([, count]) => count >= perWebhook).map(([id]) => id);
  const rows: DueRow[] = await manager.query(dueOfEach(manager), [JSON.stringify(full), now, perWebhook]);
  const chosen = inTurn(rows, claim).slice(0, limit);
  const lease = randomUUID();
  if (chosen.length > 0)
    await manager.query(claimThese(manager), [JSON.stringify(chosen.map(({ id }) => toSafeInteger(id))), lease, leasedUntil]);
  return chosen.map((row) => toClaimed(row, lease));
}

/** Who has least under way comes first, and of those who waits longest. None gets more than it may have. */
function inTurn(rows: readonly DueRow[], { perWebhook, inFlight }: DeliveryClaim): DueRow[] {
  const under = new Map(inFlight);
  const byDue = rows.toSorted(
    (one, other) => toSafeInteger(one.due_at) - toSafeInteger(other.due_at) || toSafeInteger(one.id) - toSafeInteger(other.id),
  );
  const placed = byDue.map((row) => {
    const webhookId = toSafeInteger(row.webhook_id);
    const place = (under.get(webhookId) ?? 0) + 1;
    under.set(webhookId, place);
    return { row, place };
  });
  // Sorting keeps those of the same place in their order.
  return placed
    .filter(({ place }) => place <= perWebhook)
    .toSorted((one, other) => one.place - other.place)
    .map(({ row }) => row);
}

const toClaimed = (row: DueRow, lease: string): ClaimedDelivery => ({
  id: toSafeInteger(row.id),
  webhookId: toSafeInteger(row.webhook_id),
  url: row.url,
  encryptedSecret: row.encrypted_secret,
  event: row.event,
  createdAt: toSafeInteger(row.created_at),
  data: row.data === null ? null : JSON.parse(row.data),
  attempt: toSafeInteger(row.attempts) + 1,
  lease,
});

/** One look into the index for each webhook. */
const nextOfEach = (manager: EntityManager): string => `
  select min(next_at) as at from (
    select (select min(due_at) from webhook_deliveries as own where own.webhook_id = webhooks.id and own.status = 'pending') as next_at
    from webhooks where status = 'active' and id not in ${jsonList(manager, 'bigint')}
  ) as waiting`;

export async function nextDueAt(manager: EntityManager, except: readonly number[]): Promise<number | null> {
  const [row]: { at: unknown }[] = await manager.query(nextOfEach(manager), [JSON.stringify(except)]);
  return row === undefined || row.at === null ? null : toSafeInteger(row.at);
}
