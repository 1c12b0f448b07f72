import type { Migration } from './migration.ts';

export const refundsWithTax: Migration = {
  name: '20261116001300-refunds-with-tax',
  async up(run) {
    await run('alter table store_orders add column includes_tax bigint not null default 0');
  },
};
