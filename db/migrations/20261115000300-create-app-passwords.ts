import type { Migration } from './migration.ts';

export const createAppPasswords: Migration = {
  name: '20261115000300-create-app-passwords',
  async up(run, { id }) {
    await run(`
      create table app_passwords (
        id ${id},
        user_id bigint not null references users (id) on delete cascade,
        name text not null,
        hash text not null,
        created_at bigint not null,
        last_used_at bigint
      )`);
    await run('create index app_passwords_of_user on app_passwords (user_id)');
  },
};
