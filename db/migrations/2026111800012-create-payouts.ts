import { migration } from './migration.ts';

export const createPayouts = migration('create-payouts-2026111800012', async (run, { id }) => {
  await run(`
    create table payout_details (
      user_id bigint primary key references users (id) on delete cascade,
      method text not null,
      method_type text not null,
      encrypted_details text,
      first_saved_at bigint not null,
      updated_at bigint not null
    )`);
  await run(`
    create table payouts (
      id ${id},
      user_id bigint not null references users (id),
      coupon_id bigint not null references coupons (id),
      amount_minor bigint not null check (amount_minor > 0),
      method text not null,
      method_type text not null,
      has_details bigint not null check (has_details in (0, 1)),
      status text not null check (status in ('pending', 'created', 'processing', 'paid', 'cancel', 'failed')),
      transaction_id text not null,
      invoice_id bigint not null,
      day text not null,
      requested_at bigint not null,
      paid_day text,
      paid_at bigint
    )`);
  // At most one open request per coupon, and one payout per invoice, enforced by the database.
  await run("create unique index payouts_open on payouts (coupon_id) where status in ('pending', 'created', 'processing')");
  await run('create unique index payouts_of_invoice on payouts (invoice_id) where invoice_id > 0');
  await run('create index payouts_newest on payouts (day, requested_at, id)');
  await run('create index payouts_of_user on payouts (user_id, day, requested_at, id)');
  await run('create index payouts_of_coupon on payouts (coupon_id, day, requested_at, id)');
  await run('create index payouts_of_status on payouts (status, day, requested_at, id)');
  // Counts by day and status: of all payouts, of a user, of a coupon; and, with the scope "paid", by the day of payment.
  await run(`
    create table payout_days (
      scope text not null,
      scope_id bigint not null,
      day text not null,
      status text not null,
      count bigint not null,
      amount_minor bigint not null,
      primary key (scope, scope_id, day, status)
    )`);
  await run(`
    create table idempotency_keys (
      user_id bigint not null references users (id) on delete cascade,
      operation text not null,
      idempotency_key text not null,
      request text not null,
      answer text not null,
      created_at bigint not null,
      primary key (user_id, operation, idempotency_key)
    )`);
  await run('create index idempotency_keys_age on idempotency_keys (created_at)');
});
