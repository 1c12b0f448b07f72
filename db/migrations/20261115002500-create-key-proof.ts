import type { Migration } from './migration.ts';

/** One row: a known text, encrypted with the master key of this database. A process that cannot decrypt it has another key. */
export const createKeyProof: Migration = {
  name: '20261115002500-create-key-proof',
  async up(run) {
    await run('create table key_proof (id bigint primary key check (id = 1), sealed text not null)');
  },
};
