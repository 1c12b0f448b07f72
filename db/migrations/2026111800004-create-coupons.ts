import { migration } from './migration.ts';

export const createCoupons = migration('create-coupons-2026111800004', async (run, { id }) => {
  // Percentages are whole thousandths (12.5 % = 12500), so that commission is computed in integers throughout.
  // discount_amount: thousandths of a percent for the type percent, minor units for the fixed ones.
  // multi_level_minor and handed_over_minor: sources of the balances, so that a report can show what the pools consist of.
  await run(`
    create table coupons (
      id ${id},
      code text not null,
      code_folded text not null,
      user_id bigint references users (id) on delete set null,
      status text not null,
      created_at bigint not null,
      percent_thousandths bigint,
      fixed_per_order_minor bigint,
      fixed_per_product_minor bigint,
      discount_type text not null default 'percent',
      discount_amount bigint not null default 0,
      unpaid_minor bigint not null default 0,
      pending_order_minor bigint not null default 0,
      pending_payout_minor bigint not null default 0,
      paid_minor bigint not null default 0,
      multi_level_minor bigint not null default 0,
      handed_over_minor bigint not null default 0,
      handovers bigint not null default 0
    )`);
  // Not unique: a store may have two coupons with one code, which the API shows as code_ambiguous.
  await run('create index coupons_code on coupons (code_folded)');
  await run('create index coupons_of_user on coupons (user_id, created_at, id)');
  await run('create index coupons_newest on coupons (status, created_at, id) where user_id is not null');
  await run("create index coupons_published on coupons (user_id) where status = 'publish'");
});
