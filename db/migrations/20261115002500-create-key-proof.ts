import type { Migration } from './migration.ts';

/** One row: a known text, sealed with the master key that this database belongs to. Whoever cannot open it has another one. */
export const createKeyProof: Migration = {
  name: '20261115002500-create-key-proof',
  async up(run) {
    await run('create table key_proof (id bigint primary key check (id = 1), sealed text not null)');
  },
};
