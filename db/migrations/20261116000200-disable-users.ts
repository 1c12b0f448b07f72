import type { Migration } from './migration.ts';

/** Users can be disabled, and application passwords can expire. */
export const disableUsers: Migration = {
  name: '20261116000200-disable-users',
  async up(run) {
    await run('alter table users add column disabled_at bigint');
    await run('alter table app_passwords add column expires_day text');
  },
};
