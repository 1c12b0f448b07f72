import type { Migration } from './migration.ts';

/** How often a coupon has changed hands, and how often it had when an order was recorded. Earlier hand-overs are not known. */
export const countHandovers: Migration = {
  name: '20261116000500-count-handovers',
  async up(run) {
    for (const table of ['coupons', 'orders']) await run(`alter table ${table} add column handovers bigint not null default 0`);
  },
};
