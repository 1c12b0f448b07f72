import { migration } from './migration.ts';

export const createAdjustments = migration('create-adjustments-2026111800019', async (run, { id }) => {
  // Each has one movement in the ledger, which names it. created_by 0 is the system.
  await run(`
    create table adjustments (
      id ${id},
      coupon_id bigint not null references coupons (id),
      user_id bigint not null references users (id),
      amount_minor bigint not null check (amount_minor <> 0),
      note text not null,
      created_by bigint not null,
      created_at bigint not null
    )`);
  await run('create index adjustments_of_coupon on adjustments (coupon_id, id)');
  await run('create index adjustments_of_user on adjustments (user_id, id)');
});
