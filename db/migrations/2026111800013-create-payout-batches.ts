import { migration } from './migration.ts';

export const createPayoutBatches = migration('create-payout-batches-2026111800013', async (run, { id }) => {
  await run(`
    create table payout_batches (
      id ${id},
      format text not null,
      status text not null check (status in ('open', 'paid', 'cancelled')),
      count bigint not null,
      total_minor bigint not null,
      currency text not null,
      file_name text not null,
      encrypted_file text,
      created_at bigint not null,
      completed_at bigint,
      settled_at bigint
    )`);
  await run(`
    create table payout_batch_items (
      batch_id bigint not null references payout_batches (id),
      payout_id bigint not null references payouts (id),
      amount_minor bigint not null,
      is_current bigint not null check (is_current in (0, 1)),
      primary key (batch_id, payout_id)
    )`);
  // A payout is in at most one batch that is not cancelled, enforced by the database.
  await run('create unique index payout_batch_items_current on payout_batch_items (payout_id) where is_current = 1');
});
