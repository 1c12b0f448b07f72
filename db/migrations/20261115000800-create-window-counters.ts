import type { Migration } from './migration.ts';

export const createWindowCounters: Migration = {
  name: '20261115000800-create-window-counters',
  async up(run, { engine }) {
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
  },
};
