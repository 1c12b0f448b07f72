import type { EntityManager } from 'typeorm';
import type { Backlog, BacklogStore, Waiting } from '../../domain/backlog/store.ts';
import { toSafeInteger } from '../entities/columns.ts';

type Row = Record<string, unknown>;

export const backlogStore = (manager: EntityManager): BacklogStore => ({
  async at(now, stuckBefore) {
    const row = async (sql: string, values: unknown[] = []): Promise<Row> => {
      const [only]: Row[] = await manager.query(sql, values);
      return only ?? {};
    };
    const webhooks = await row(countWebhooks);
    const payouts = await row(countPayouts, [stuckBefore]);
    return {
      deliveries: waitingOf(await row(waitingDeliveries, [now])),
      mails: waitingOf(await row(waitingMails, [now])),
      deliveriesGivenUp: toSafeInteger((await row(deliveriesGivenUp, [now - oneDayMs]))['count']),
      mailsGivenUp: toSafeInteger((await row(mailsGivenUp))['count']),
      webhooks: wholeNumbers(webhooks, ['active', 'disabled', 'failing']),
      payouts: wholeNumbers(payouts, ['processing', 'stuck']),
      lastEvent: toSafeInteger((await row('select coalesce(max(id), 0) as last from events'))['last']),
    } satisfies Backlog;
  },
});

const oneDayMs = 86_400_000;

// What waits for a disabled webhook waits for somebody to set it right, and is no backlog of ours.
const waitingDeliveries = `
  select count(*) as count, min(case when due_at <= $1 then due_at end) as late_since
  from webhook_deliveries where status = 'pending' and webhook_id in (select id from webhooks where status = 'active')`;

const waitingMails = `
  select count(*) as count, min(case when next_at <= $1 then next_at end) as late_since from mails where next_at is not null`;

const deliveriesGivenUp = "select count(*) as count from webhook_deliveries where status = 'failed' and finished_at > $1";

const mailsGivenUp = 'select count(*) as count from mails where next_at is null and sent_at is null';

const countWebhooks = `
  select coalesce(sum(case when status = 'active' then 1 else 0 end), 0) as active,
    coalesce(sum(case when status = 'disabled' then 1 else 0 end), 0) as disabled,
    coalesce(sum(case when status = 'active' and coalesce(failures, 0) > 0 then 1 else 0 end), 0) as failing
  from webhooks left join webhook_health on webhook_health.webhook_id = webhooks.id`;

const countPayouts = `
  select count(*) as processing, coalesce(sum(case when requested_at <= $1 then 1 else 0 end), 0) as stuck
  from payouts where status = 'processing'`;

const waitingOf = (row: Row): Waiting => ({
  count: toSafeInteger(row['count']),
  lateSince: row['late_since'] === null ? null : toSafeInteger(row['late_since']),
});

const wholeNumbers = <Name extends string>(row: Row, names: readonly Name[]): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, toSafeInteger(row[name])])) as Record<Name, number>;
