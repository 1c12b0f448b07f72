import { migration } from './migration.ts';

/** Payments of platforms whose ids are texts, and what credits the payments of a subscription. */
export const createStorePayments = migration('create-store-payments-2026111800023', async (run, { id, engine }) => {
  // One tree instead of two for tables whose key is not a number of SQLite's own.
  const keyed = engine === 'sqlite' ? 'without rowid' : '';
  // The number of the order follows from the id of the row, which is never reused.
  await run(`
    create table store_payments (
      id ${id},
      platform text not null,
      external_id text not null,
      subscription text,
      customer_hash text,
      seen_at bigint not null,
      amounts text,
      reductions text not null
    )`);
  await run('create index store_payments_of_subscription on store_payments (subscription) where subscription is not null');
  await run('create index store_payments_of_customer on store_payments (customer_hash) where customer_hash is not null');
  // A payment has several ids: of its invoice, its checkout, its charge.
  await run(`
    create table store_payment_ids (
      platform text not null,
      external_id text not null,
      payment_id bigint not null references store_payments (id),
      primary key (external_id, platform)
    ) ${keyed}`);
  await run(`
    create table store_codes (
      platform text not null,
      external_id text not null,
      code text not null,
      primary key (platform, external_id)
    ) ${keyed}`);
  await run(`
    create table credit_links (
      link text primary key,
      coupon_id bigint not null references coupons (id),
      used_coupon_id bigint references coupons (id),
      credited_via text not null,
      campaign text,
      visitor_hash text,
      click_id bigint,
      linked_at bigint not null,
      first_paid_at bigint,
      payments bigint not null
    ) ${keyed}`);
  await run(`
    create table subscription_payments (
      order_id bigint primary key references orders (order_id),
      subscription text not null,
      number bigint not null,
      percent_thousandths bigint,
      max_payments bigint not null,
      max_months bigint not null,
      exceeded text
    ) ${keyed}`);
});
