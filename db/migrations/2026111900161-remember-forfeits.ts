import { migration } from './migration.ts';

export const rememberForfeits = migration('remember-forfeits-2026111900161', async (run) => {
  await run("alter table coupons add column forfeits text not null default '[]'");
  await run('alter table order_shares add column handovers bigint not null default 0');
  // Shares of owners from before the last hand-over, and of erased ones, stay those of an earlier hand-over.
  const isCurrent = `order_shares.coupon_id = coupons.id and order_shares.user_id = coupons.user_id
    and coupons.handovers > 0 and not exists (select 1 from users where users.id = coupons.user_id and users.email like '%@erased.invalid')`;
  await run(`update order_shares set handovers = (select handovers from coupons where id = order_shares.coupon_id)
    where exists (select 1 from coupons where ${isCurrent})`);
});
