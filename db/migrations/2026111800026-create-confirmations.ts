import { migration } from './migration.ts';

export const createConfirmations = migration('create-confirmations-2026111800026', async (run) => {
  // One for each preview that an agent was shown. request is a hash of the tool, its input and the outcome.
  await run(`
    create table confirmations (
      hash text not null primary key,
      user_id bigint not null,
      key_id bigint not null,
      request text not null,
      expires_at bigint not null,
      used_at bigint
    )`);
  await run('create index confirmations_by_expiry on confirmations (expires_at)');
});
