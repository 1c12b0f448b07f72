import { migration } from './migration.ts';

export const createInvoices = migration('create-invoices-2026111800014', async (run, { id }) => {
  await run(`
    create table invoices (
      id ${id},
      user_id bigint not null references users (id),
      coupon_id bigint not null references coupons (id),
      type text not null check (type in ('application/pdf', 'image/png', 'image/jpeg')),
      size bigint not null check (size > 0),
      sha256 text not null,
      created_at bigint not null
    )`);
  await run('create index invoices_of_user on invoices (user_id, id)');
  await run('create index invoices_of_coupon on invoices (coupon_id, id)');
});
