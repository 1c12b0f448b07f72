import type { Migration } from './migration.ts';

export const createSessions: Migration = {
  name: '20261115000400-create-sessions',
  async up(run) {
    await run(`
      create table sessions (
        hash text primary key,
        user_id bigint not null references users (id) on delete cascade,
        csrf_token text not null,
        created_at bigint not null,
        expires_at bigint not null
      )`);
    await run('create index sessions_of_user on sessions (user_id)');
    await run('create index sessions_expiry on sessions (expires_at)');
  },
};
