import { migration } from './migration.ts';

export const rememberRepeats = migration('remember-repeats-2026111900220', async (run, { engine }) => {
  // By day like visitor_returns, for all coupons of a user. docs/decisions/0021 explains it.
  await run(`create table visitor_repeats (user_id bigint not null, campaign text not null, earlier text not null, later text not null,
    visitors bigint not null, primary key (user_id, campaign, earlier, later)) ${engine === 'sqlite' ? 'without rowid' : ''}`);
});
