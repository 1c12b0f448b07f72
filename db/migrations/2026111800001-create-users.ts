import { migration } from './migration.ts';

export const createUsers = migration('create-users-2026111800001', async (run, { id }) => {
  await run(`
    create table users (
      id ${id},
      login text not null,
      login_folded text not null,
      email text not null,
      email_folded text not null,
      display_name text not null,
      display_name_folded text not null,
      role text not null,
      parent_id bigint references users (id) on delete set null,
      password_hash text,
      registered_at bigint not null,
      profile text not null default '{}',
      "groups" text not null default '[]',
      custom_fields text not null default '{}',
      disabled_at bigint,
      had_coupon bigint not null default 0 check (had_coupon in (0, 1))
    )`);
  await run('create unique index users_login on users (login_folded)');
  await run('create unique index users_email on users (email_folded)');
  await run('create index users_parent on users (parent_id)');
  // No reference to users: a key outlives its user, and is then answered with svc_api_invalid_key_user.
  await run(`
    create table api_keys (
      id ${id},
      hash text not null unique,
      prefix text not null,
      user_id bigint not null,
      description text not null,
      scopes text not null,
      created_by bigint not null,
      created_at bigint not null,
      last_used_at bigint,
      expires_day text,
      revoked_at bigint
    )`);
  await run('create index api_keys_newest on api_keys (created_at, id)');
  await run('create index api_keys_of_user on api_keys (user_id, created_at, id)');
  await run(`
    create table app_passwords (
      id ${id},
      user_id bigint not null references users (id) on delete cascade,
      name text not null,
      hash text not null,
      created_at bigint not null,
      last_used_at bigint,
      expires_day text
    )`);
  await run('create index app_passwords_of_user on app_passwords (user_id)');
  await run(`
    create table sessions (
      hash text primary key,
      user_id bigint not null references users (id) on delete cascade,
      csrf_token text not null,
      created_at bigint not null,
      expires_at bigint not null,
      confirmed_until bigint
    )`);
  await run('create index sessions_of_user on sessions (user_id)');
  await run('create index sessions_expiry on sessions (expires_at)');
  await run(`
    create table one_time_tokens (
      hash text primary key,
      purpose text not null,
      user_id bigint references users (id) on delete cascade,
      data text not null,
      created_at bigint not null,
      expires_at bigint
    )`);
  await run('create index one_time_tokens_of_user on one_time_tokens (user_id)');
  await run('create index one_time_tokens_expiry on one_time_tokens (expires_at)');
});
