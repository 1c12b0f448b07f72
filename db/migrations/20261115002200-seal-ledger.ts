import type { Migration } from './migration.ts';

const sentence = 'The ledger is only ever added to: its rows are neither changed nor deleted.';

/** Triggers protect the ledger from writes past the service too. Corrections are further rows. */
export const sealLedger: Migration = {
  name: '20261115002200-seal-ledger',
  async up(run, { engine }) {
    if (engine === 'sqlite') {
      for (const operation of ['update', 'delete'])
        await run(`create trigger ledger_refuses_${operation} before ${operation} on ledger begin select raise(abort, '${sentence}'); end`);
      return;
    }
    await run(`create function refuse_to_change_ledger() returns trigger language plpgsql as $$ begin
      raise exception '${sentence}';
    end $$`);
    await run(`create trigger ledger_is_sealed before update or delete or truncate on ledger
      for each statement execute function refuse_to_change_ledger()`);
  },
};
