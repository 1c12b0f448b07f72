import type { Migration } from './migration.ts';

/** Keys that hash or sign, encrypted with the master key. The service stores them when it starts: a migration does not have that key. */
export const storeKeys: Migration = {
  name: '20261116000900-store-keys',
  async up(run) {
    await run('create table stored_keys (name text primary key, sealed text not null)');
  },
};
