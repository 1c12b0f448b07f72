import { migration } from './migration.ts';

export const createWebhooks = migration('create-webhooks-2026111800015', async (run, { id }) => {
  await run(`
    create table webhooks (
      id ${id},
      name text not null,
      url text not null,
      events text not null,
      status text not null,
      encrypted_secret text not null,
      created_by bigint not null,
      created_at bigint not null
    )`);
  // A table of its own: each attempt updates it, while every event reads the webhooks.
  await run(`
    create table webhook_health (
      webhook_id bigint primary key references webhooks (id) on delete cascade,
      failures bigint not null,
      last_delivery_at bigint,
      last_error text not null,
      failing_since bigint,
      next_probe_at bigint
    )`);
  // `data` is a copy of the event's, because a site's own events are in no feed, and the feed may be pruned at other times than this table.
  // A claim moves due_at to the end of the lease, so that the delivery is due again when its worker is gone.
  await run(`
    create table webhook_deliveries (
      id ${id},
      webhook_id bigint not null references webhooks (id) on delete cascade,
      event text not null,
      data text,
      created_at bigint not null,
      status text not null,
      attempts bigint not null,
      due_at bigint,
      lease text,
      finished_at bigint
    )`);
  await run("create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at, id) where status = 'pending'");
  await run('create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, id)');
  await run('create index webhook_deliveries_finished on webhook_deliveries (finished_at) where finished_at is not null');
  // For `affiliate doctor` and every scrape of the metrics, which count failed deliveries among all of the last month.
  await run("create index webhook_deliveries_given_up on webhook_deliveries (finished_at) where status = 'failed'");
  await run(`
    create table webhook_attempts (
      id ${id},
      delivery_id bigint not null references webhook_deliveries (id) on delete cascade,
      attempted_at bigint not null,
      code bigint,
      failure text,
      error text not null,
      excerpt text not null,
      milliseconds bigint not null
    )`);
  await run('create index webhook_attempts_of_delivery on webhook_attempts (delivery_id, id)');
});
