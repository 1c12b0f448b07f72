import type { EntityManager } from 'typeorm';
import { isPastTheEnd, offsetOf, type Page, type Paged } from '../../domain/page.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { DeliveryStore, NewTest } from '../../domain/webhooks/store.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';
import { returnedRows } from '../sql/returned-rows.ts';
import { claimDue, nextDueAt } from './delivery-claims.ts';
import { attemptsOf, type DeliveryRow, toDelivery } from './delivery-rows.ts';
import { addAttempts, held, settle } from './delivery-settling.ts';

/** `onOutgoing` is told of every delivery that waits to be sent once this transaction is committed. */
export const deliveryStore = (manager: EntityManager, onOutgoing: () => void): DeliveryStore => ({
  claim: (claim) => claimDue(manager, claim),
  nextDueAt: (except) => nextDueAt(manager, except),
  lockClaimed: (claimed) => held(manager, claimed),
  settle: (settled) => settle(manager, settled),
  release: ({ id, lease }, dueAt) => manager.query(giveBack, [dueAt, id, lease]).then(onOutgoing),
  clampSchedule: (now, { lease, waits }) => bringForward(manager, now, lease, waits),
  addAttempts: (attempts) => addAttempts(manager, attempts),
  insertTest: (test) => insertTest(manager, test),
  finishTest: (id, status) => isChanged(manager, 'update webhook_deliveries set status = $1 where id = $2 returning id', [status, id]),
  webhookOf: (id) => webhookOf(manager, id),
  requeue: (id, dueAt) => manager.query(makeDue, [dueAt, id]).then(onOutgoing),
  page: (webhookId, page) => pageOf(manager, webhookId, page),
  deleteOld: (before, limit) => forget(manager, before, limit),
});

const giveBack = 'update webhook_deliveries set lease = null, due_at = $1 where id = $2 and lease = $3';

const atMost = (condition: string): string =>
  `update webhook_deliveries set due_at = $1 where status = 'pending' and due_at > $1 and ${condition}`;

async function bringForward(manager: EntityManager, now: number, lease: number, waits: readonly number[]): Promise<void> {
  await manager.query(atMost('lease is not null'), [now + lease]);
  for (const [attempts, wait] of waits.entries()) await manager.query(atMost('lease is null and attempts = $2'), [now + wait, attempts]);
}

// Whoever has it under way has lost their lease with this.
const makeDue = `
  update webhook_deliveries set status = 'pending', attempts = 0, due_at = $1, lease = null, finished_at = null where id = $2`;

const isChanged = async (manager: EntityManager, statement: string, values: unknown[]): Promise<boolean> =>
  returnedRows(await manager.query(statement, values)).length > 0;

/** As one that failed, which it is until the answer is there. */
async function insertTest(manager: EntityManager, { webhookId, event, data, createdAt }: NewTest): Promise<number> {
  const [inserted]: { id: unknown }[] = await manager.query(
    `insert into webhook_deliveries (webhook_id, event, data, created_at, status, attempts, due_at, lease, finished_at)
     values ($1, $2, $3, $4, 'failed', 0, null, null, $4) returning id`,
    [webhookId, event, JSON.stringify(data), createdAt],
  );
  return toSafeInteger(inserted?.id);
}

async function webhookOf(manager: EntityManager, id: number): Promise<number | null> {
  if (!isId(id)) return null;
  const [row]: { webhook_id: unknown }[] = await manager.query('select webhook_id from webhook_deliveries where id = $1', [id]);
  return row ? toSafeInteger(row.webhook_id) : null;
}

async function pageOf(manager: EntityManager, webhookId: number, page: Page): Promise<Paged<Delivery>> {
  const [row]: { total: unknown }[] = await manager.query('select count(*) as total from webhook_deliveries where webhook_id = $1', [
    webhookId,
  ]);
  const total = toSafeInteger(row?.total);
  if (isPastTheEnd(page, total)) return { items: [], total };
  const rows: DeliveryRow[] = await manager.query(
    'select * from webhook_deliveries where webhook_id = $1 order by id desc limit $2 offset $3',
    [webhookId, page.perPage, offsetOf(page)],
  );
  const attempts = await attemptsOf(manager, rows);
  return { items: rows.map((row) => toDelivery(row, attempts)), total };
}

const forgotten = `
  select id from (select id from webhook_deliveries where finished_at < $1 order by finished_at limit $2) as finished
  union all
  select id from (
    select id from webhook_deliveries
    where webhook_id in (select id from webhooks where status = 'disabled') and status = 'pending' and due_at < $1 limit $2
  ) as waiting
  limit $2`;

async function forget(manager: EntityManager, before: number, limit: number): Promise<number> {
  const answer = await manager.query(`delete from webhook_deliveries where id in (${forgotten}) returning id`, [before, limit]);
  return returnedRows(answer).length;
}
