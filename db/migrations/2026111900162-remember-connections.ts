import { migration } from './migration.ts';

export const rememberConnections = migration('remember-connections-2026111900162', async (run) => {
  await run('alter table store_orders add column connection_id text');
  // With several connections it is not known which of them recorded an order.
  await run(`update store_orders set connection_id = (select max(id) from store_connections)
    where (select count(*) from store_connections) = 1`);
});
