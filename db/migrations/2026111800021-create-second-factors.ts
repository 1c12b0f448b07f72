import { migration } from './migration.ts';

export const createSecondFactors = migration('create-second-factors-2026111800021', async (run) => {
  await run(`alter table sessions add column device text not null default ''`);
  await run(`alter table sessions add column address text not null default ''`);
  await run('alter table sessions add column last_used_at bigint not null default 0');
  // One browser can be the device of several users.
  await run(`
    create table devices (
      hash text not null,
      user_id bigint not null references users (id) on delete cascade,
      failures bigint not null,
      last_used_at bigint not null,
      primary key (hash, user_id)
    )`);
  await run('create index devices_of_user on devices (user_id, last_used_at)');
  await run('create index devices_last_use on devices (last_used_at)');
  await run(`
    create table second_factors (
      user_id bigint primary key references users (id) on delete cascade,
      encrypted_secret text not null,
      last_step bigint not null,
      created_at bigint not null
    )`);
  await run(`
    create table recovery_codes (
      user_id bigint not null references users (id) on delete cascade,
      hash text not null,
      primary key (user_id, hash)
    )`);
});
