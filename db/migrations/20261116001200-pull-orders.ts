import type { Migration } from './migration.ts';

export const pullOrders: Migration = {
  name: '20261116001200-pull-orders',
  async up(run) {
    for (const column of ['api_url text', 'api_key text', 'encrypted_api_secret text'])
      await run(`alter table store_connections add column ${column}`);
    for (const column of ['pulled_to bigint', 'trash_pulled_to bigint', 'pulled_at bigint'])
      await run(`alter table store_connections add column ${column}`);
    await run('alter table store_orders add column exact_refund bigint');
  },
};
