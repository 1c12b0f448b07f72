import type { Migration } from './migration.ts';

export const indexOrdersByCommission: Migration = {
  name: '20261115001600-index-orders-by-commission',
  async up(run) {
    // Counts by day are stored by order status alone, so orders filtered by commission status are counted one by one. The index covers all
    // filters, so that the count reads no rows.
    await run('create index orders_of_commission on orders (coupon_id, commission_status, day, placed_at, order_id, status)');
  },
};
