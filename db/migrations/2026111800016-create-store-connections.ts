import { migration } from './migration.ts';

export const createStoreConnections = migration('create-store-connections-2026111800016', async (run, { id }) => {
  await run(`
    create table store_connections (
      id text primary key,
      platform text not null,
      name text not null,
      encrypted_secret text,
      created_at bigint not null,
      disconnected_at bigint,
      api_url text,
      api_key text,
      encrypted_api_secret text,
      pulled_to bigint,
      trash_pulled_to bigint,
      pulled_at bigint
    )`);
  await run(`
    create table store_deliveries (
      id ${id},
      connection_id text not null references store_connections (id),
      received_at bigint not null,
      topic text not null,
      order_id bigint,
      outcome text not null,
      reason text
    )`);
  await run('create index store_deliveries_by_connection on store_deliveries (connection_id, id)');
  await run('create index store_deliveries_by_date on store_deliveries (received_at)');
  await run(`
    create table store_orders (
      order_id bigint primary key,
      modified_at bigint not null,
      refunds text not null,
      exact_refund bigint,
      includes_tax bigint not null default 0,
      paid_minor bigint,
      is_deleted bigint not null default 0
    )`);
});
