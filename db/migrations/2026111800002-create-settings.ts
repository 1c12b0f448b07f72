import { migration } from './migration.ts';

export const createSettings = migration('create-settings-2026111800002', async (run, { engine }) => {
  await run('create table settings (path text primary key, value text not null)');
  // One row, which every change of a setting updates: a process that caches settings compares this number alone.
  await run('create table settings_version (id bigint primary key check (id = 1), version bigint not null)');
  await run('insert into settings_version (id, version) values (1, 0)');
  // One row: a known text, encrypted with the master key of this database. A process that cannot decrypt it has another key.
  await run('create table key_proof (id bigint primary key check (id = 1), sealed text not null)');
  // Keys that hash or sign, encrypted with the master key. The service stores them when it starts: a migration does not have that key.
  await run('create table stored_keys (name text primary key, sealed text not null)');
  // One process serves a SQLite file and counts in its memory.
  if (engine === 'sqlite') return;
  await run(`
    create unlogged table window_counters (
      name text primary key,
      count bigint not null,
      started_at bigint not null,
      ends_at bigint not null
    )`);
  await run('create index window_counters_end on window_counters (ends_at)');
});
