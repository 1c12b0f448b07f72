import { type EntityManager, IsNull, LessThanOrEqual, type ObjectLiteral, type SelectQueryBuilder } from 'typeorm';
import type { BacklogRepository, QueueBacklog } from '../../domain/reports/backlog.ts';
import { testEvent } from '../../domain/webhooks/webhook.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { events } from '../entities/events.ts';
import { mails } from '../entities/mails.ts';
import { payouts } from '../entities/payouts.ts';
import { webhookDeliveries, webhookHealth, webhooks } from '../entities/webhooks.ts';

// Conditions of partial indexes are spelled out, because neither engine applies such an index to a parameter.

export const backlogRepository = (manager: EntityManager): BacklogRepository => ({
  at: async (now, stuckBefore) => ({
    deliveries: await waitingSince(pendingDeliveries(manager), dueOrProbed, now),
    mails: await waitingSince(manager.createQueryBuilder(mails, 'mail').where('mail.nextAt is not null'), 'mail.nextAt', now),
    deliveriesGivenUp: await failedDeliveries(manager, now - oneDayMs),
    mailsGivenUp: await manager.countBy(mails, { nextAt: IsNull(), sentAt: IsNull() }),
    webhooks: {
      active: await manager.countBy(webhooks, { status: 'active' }),
      disabled: await manager.countBy(webhooks, { status: 'disabled' }),
      failing: await failingWebhooks(manager),
    },
    payouts: {
      processing: await manager.countBy(payouts, { status: 'processing' }),
      stuck: await manager.countBy(payouts, { status: 'processing', requestedAt: LessThanOrEqual(stuckBefore) }),
    },
    lastEvent: (await manager.maximum(events, 'id')) ?? 0,
  }),
});

const oneDayMs = 86_400_000;

const ofActiveWebhook = "webhookId in (select id from webhooks where status = 'active')";

/** Deliveries of a disabled webhook wait until an administrator enables it, and are no backlog. */
const pendingDeliveries = (manager: EntityManager) =>
  manager
    .createQueryBuilder(webhookDeliveries, 'delivery')
    .innerJoin(webhookHealth.options.name, 'health', 'health.webhook_id = delivery.webhookId')
    .where("delivery.status = 'pending'")
    .andWhere(`delivery.${ofActiveWebhook}`);

/** Deliveries to a dead receiver are held back until its next probe. */
const dueOrProbed = 'case when health.next_probe_at > delivery.dueAt then health.next_probe_at else delivery.dueAt end';

async function waitingSince<Row extends ObjectLiteral>(query: SelectQueryBuilder<Row>, due: string, now: number): Promise<QueueBacklog> {
  const row = await query.select('count(*)', 'count').addSelect(`min(${due})`, 'first').getRawOne<{ count: unknown; first: unknown }>();
  const first = row?.first === undefined || row.first === null ? null : toSafeInteger(row.first);
  return { count: toSafeInteger(row?.count), lateSince: first !== null && first <= now ? first : null };
}

/** Without test deliveries, whose failure their caller has seen. */
const failedDeliveries = (manager: EntityManager, since: number): Promise<number> =>
  manager
    .createQueryBuilder(webhookDeliveries, 'delivery')
    .where("delivery.status = 'failed'")
    .andWhere('delivery.finishedAt > :since', { since })
    .andWhere('delivery.event <> :testEvent', { testEvent })
    .getCount();

const failingWebhooks = (manager: EntityManager): Promise<number> =>
  manager.createQueryBuilder(webhookHealth, 'health').where('health.failures > 0').andWhere(`health.${ofActiveWebhook}`).getCount();
