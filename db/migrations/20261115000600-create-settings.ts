import type { Migration } from './migration.ts';

export const createSettings: Migration = {
  name: '20261115000600-create-settings',
  async up(run) {
    await run('create table settings (path text primary key, value text not null)');
    // One row, which every change of a setting updates: a process that caches settings compares this number alone.
    await run('create table settings_version (id bigint primary key check (id = 1), version bigint not null)');
    await run('insert into settings_version (id, version) values (1, 0)');
  },
};
