import { migration } from './migration.ts';

/** Referrals by codes that have not arrived, and what payments need that turn out to be one. */
export const createWaitingReferrals = migration('create-waiting-referrals-2026111800025', async (run, { id }) => {
  await run(`
    create table store_waiting_referrals (
      id ${id},
      platform text not null,
      code_id text not null,
      seen_at bigint not null,
      fact text not null
    )`);
  await run('create index store_waiting_referrals_of_code on store_waiting_referrals (code_id)');
  await run('create index store_waiting_referrals_by_date on store_waiting_referrals (seen_at)');
  await run('create index store_payment_ids_of_payment on store_payment_ids (payment_id)');
  await run('alter table store_codes add column occurred_at bigint not null default 0');
});
