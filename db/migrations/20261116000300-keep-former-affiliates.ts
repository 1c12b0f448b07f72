import type { Migration } from './migration.ts';

/** A user stays an affiliate after the last coupon was taken away. */
export const keepFormerAffiliates: Migration = {
  name: '20261116000300-keep-former-affiliates',
  async up(run) {
    await run('alter table users add column had_coupon bigint not null default 0 check (had_coupon in (0, 1))');
    await run(`
      update users set had_coupon = 1
      where id in (select user_id from payouts) or id in (select object_id from events where kind = 'affiliate_created')`);
  },
};
