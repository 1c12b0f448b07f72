import type { Migration } from './migration.ts';

export const createLedger: Migration = {
  name: '20261115001000-create-ledger',
  async up(run, { id }) {
    // Append-only. The two rows of a movement share its name and sum to zero.
    await run(`
      create table ledger (
        id ${id},
        movement text not null,
        coupon_id bigint not null references coupons (id),
        pool text not null,
        amount_minor bigint not null,
        reason text not null,
        order_id bigint,
        payout_id bigint,
        user_id bigint not null,
        note text not null,
        created_at bigint not null
      )`);
    // One index for movements of a coupon and of an order on it, because every index costs time with each write.
    await run('create index ledger_of_coupon on ledger (coupon_id, order_id)');
  },
};
