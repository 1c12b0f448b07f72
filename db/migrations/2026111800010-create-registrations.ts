import { migration } from './migration.ts';

export const createRegistrations = migration('create-registrations-2026111800010', async (run, { id }) => {
  // search_folded: login, email, display name and coupon code, one line each, so that one condition searches all of them ignoring case.
  await run(`
    create table registrations (
      id ${id},
      login text not null,
      email text not null,
      email_folded text not null,
      display_name text not null,
      search_folded text not null,
      user_id bigint references users (id) on delete set null,
      coupon_code text not null,
      status text not null,
      type text not null,
      promote text not null,
      referrer text not null,
      website text not null,
      custom_fields text not null,
      message text not null,
      coupon_id bigint references coupons (id),
      created_at bigint not null,
      accepted_at bigint,
      declined_at bigint,
      reviewed_by bigint
    )`);
  await run('create unique index registrations_once on registrations (email_folded, created_at)');
  await run('create index registrations_newest on registrations (created_at, id)');
  await run('create index registrations_of_status on registrations (status, created_at, id)');
  await run('create index registrations_of_user on registrations (user_id, created_at, id)');
});
