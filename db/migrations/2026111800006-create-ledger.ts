import { migration, type Run } from './migration.ts';

const sentence = 'The ledger is only ever added to: its rows are neither changed nor deleted.';

export const createLedger = migration('create-ledger-2026111800006', async (run, { id, engine }) => {
  // The two rows of a movement share its name and sum to zero. Corrections are further rows.
  await run(`
    create table ledger (
      id ${id},
      movement text not null,
      coupon_id bigint not null references coupons (id),
      pool text not null,
      amount_minor bigint not null,
      reason text not null,
      order_id bigint,
      payout_id bigint,
      user_id bigint not null,
      note text not null,
      created_at bigint not null
    )`);
  // One index for movements of a coupon and of an order on it, because every index costs time with each write.
  await run('create index ledger_of_coupon on ledger (coupon_id, order_id)');
  await run(`
    create table ledger_seals (
      number bigint primary key,
      last_id bigint not null,
      row_count bigint not null,
      created_at bigint not null,
      public_key text not null,
      hash text not null,
      signature text not null
    )`);
  await (engine === 'sqlite' ? refuseChangesOnSqlite(run) : refuseChangesOnPostgres(run));
});

async function refuseChangesOnSqlite(run: Run): Promise<void> {
  for (const table of ['ledger', 'ledger_seals'])
    for (const operation of ['update', 'delete'])
      await run(
        `create trigger ${table}_refuses_${operation} before ${operation} on ${table} begin select raise(abort, '${sentence}'); end`,
      );
}

async function refuseChangesOnPostgres(run: Run): Promise<void> {
  await run(`create function refuse_to_change_ledger() returns trigger language plpgsql as $$ begin
    raise exception '${sentence}';
  end $$`);
  for (const table of ['ledger', 'ledger_seals'])
    await run(`create trigger ${table}_refuses_changes before update or delete or truncate on ${table}
      for each statement execute function refuse_to_change_ledger()`);
}
