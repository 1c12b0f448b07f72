import { migration } from './migration.ts';

export const createOrders = migration('create-orders-2026111800005', async (run) => {
  // The key is the order number of the store, so that an order which is sent twice is one row.
  await run(`
    create table orders (
      order_id bigint primary key,
      coupon_id bigint not null references coupons (id),
      used_coupon_id bigint references coupons (id),
      day text not null,
      placed_at bigint not null,
      status text not null,
      total_minor bigint not null,
      discount_minor bigint not null,
      shipping_minor bigint not null,
      tax_minor bigint not null,
      quantity bigint not null,
      refunded_minor bigint not null,
      percent_thousandths bigint not null,
      fixed_per_order_minor bigint not null,
      fixed_per_product_minor bigint not null,
      commission_minor bigint not null,
      commission_status text not null,
      granted_at bigint,
      due_at bigint not null,
      credited_via text not null,
      campaign text,
      visitor_hash text,
      handovers bigint not null default 0
    )`);
  await run('create index orders_of_coupon on orders (coupon_id, day, placed_at, order_id)');
  await run("create index orders_due on orders (due_at) where commission_status = 'pending' and status = 'completed'");
  await run('create index orders_of_visitor on orders (visitor_hash, placed_at) where visitor_hash is not null');
  await run(`create index orders_awaiting_payment on orders (commission_minor) where status = 'pending'`);
  // Counts by day are stored by order status alone, so orders filtered by commission status are counted one by one. The index covers all
  // filters, so that the count reads no rows.
  await run('create index orders_of_commission on orders (coupon_id, commission_status, day, placed_at, order_id, status)');
  await run(`
    create table order_shares (
      order_id bigint not null references orders (order_id),
      tier bigint not null,
      coupon_id bigint not null references coupons (id),
      user_id bigint not null,
      rate_thousandths bigint not null,
      amount_minor bigint not null,
      primary key (order_id, tier)
    )`);
  // Lifetime attribution: orders of a visitor are credited to the first coupon that brought them.
  await run(`
    create table lifetime_links (
      visitor_hash text primary key,
      coupon_id bigint not null references coupons (id),
      created_at bigint not null
    )`);
});
