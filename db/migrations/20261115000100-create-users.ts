import type { Migration } from './migration.ts';

export const createUsers: Migration = {
  name: '20261115000100-create-users',
  async up(run, { id }) {
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
        custom_fields text not null default '{}'
      )`);
    await run('create unique index users_login on users (login_folded)');
    await run('create unique index users_email on users (email_folded)');
    await run('create index users_parent on users (parent_id)');
  },
};
