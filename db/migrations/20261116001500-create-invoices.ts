import type { Migration } from './migration.ts';

export const createInvoices: Migration = {
  name: '20261116001500-create-invoices',
  async up(run, { id }) {
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
    // An invoice serves one payout, enforced by the database.
    await run('create unique index payouts_of_invoice on payouts (invoice_id) where invoice_id > 0');
  },
};
