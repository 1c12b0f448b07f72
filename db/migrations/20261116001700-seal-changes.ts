import type { Migration } from './migration.ts';

const tables = ['ledger_digests', 'ledger_seals'];
const sentence = 'Digests and seals of the ledger are only ever added to: they are neither changed nor deleted.';

/**
 * Digests of records that money depends on, and the chain of seals over the ledger and over them. The service fills both: a migration does
 * not have the key. What exists by then is the beginning of the chain.
 */
export const sealChanges: Migration = {
  name: '20261116001700-seal-changes',
  async up(run, { id, engine }) {
    await run(`create table ledger_digests (id ${id}, kind text not null, object_id bigint not null, digest text not null)`);
    await run('create index ledger_digests_of_object on ledger_digests (kind, object_id, id)');
    await run(`
      create table ledger_seals (
        number bigint primary key,
        ledger_id bigint not null,
        digest_id bigint not null,
        row_count bigint not null,
        unmarked_to bigint,
        public_key text not null,
        created_at bigint not null,
        hash text not null,
        signature text not null
      )`);
    if (engine === 'sqlite') {
      for (const table of tables)
        for (const operation of ['update', 'delete'])
          await run(
            `create trigger ${table}_refuses_${operation} before ${operation} on ${table} begin select raise(abort, '${sentence}'); end`,
          );
      return;
    }
    await run(`create function refuse_to_change_seals() returns trigger language plpgsql as $$ begin
      raise exception '${sentence}';
    end $$`);
    for (const table of tables)
      await run(`create trigger ${table}_are_final before update or delete or truncate on ${table}
        for each statement execute function refuse_to_change_seals()`);
  },
};
