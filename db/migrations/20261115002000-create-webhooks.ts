import type { Migration } from './migration.ts';

export const createWebhooks: Migration = {
  name: '20261115002000-create-webhooks',
  async up(run, { id }) {
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
        last_error text not null
      )`);
  },
};
