import type { Migration } from './migration.ts';

export const createApiKeys: Migration = {
  name: '20261115000200-create-api-keys',
  async up(run, { id }) {
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
  },
};
