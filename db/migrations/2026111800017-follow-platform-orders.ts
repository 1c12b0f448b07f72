import { migration } from './migration.ts';

export const followPlatformOrders = migration('follow-platform-orders-2026111800017', async (run) => {
  await run('alter table store_orders add column paid_minor bigint');
  await run('alter table store_orders add column is_deleted bigint not null default 0');
});
