import type { Migration } from './migration.ts';

export const indexOrdersByCommission: Migration = {
  name: '20261115001600-index-orders-by-commission',
  async up(run) {
    // Day counts are kept by order status alone, so orders filtered by what became of their commission have to be counted one by one. All that
    // a filter can ask for is in the index, or each of them would be looked up for it.
    await run('create index orders_of_commission on orders (coupon_id, commission_status, day, placed_at, order_id, status)');
  },
};
