import type { Migration } from './migration.ts';

export const createIdempotencyKeys: Migration = {
  name: '20261115001900-create-idempotency-keys',
  async up(run) {
    await run(`
      create table idempotency_keys (
        user_id bigint not null references users (id) on delete cascade,
        operation text not null,
        idempotency_key text not null,
        request text not null,
        answer text not null,
        created_at bigint not null,
        primary key (user_id, operation, idempotency_key)
      )`);
    await run('create index idempotency_keys_age on idempotency_keys (created_at)');
  },
};
