import type { Engine, Observer } from './engines.ts';

/** Allows this observer to change what the database protects: rows of the ledger, its digests and seals, and rows that others refer to. */
export async function disableIntegrityChecks({ name }: Pick<Engine, 'name'>, { query }: Observer): Promise<void> {
  // On SQLite, foreign keys are enforced only on connections that enable them, which an observer does not.
  if (name === 'postgres') await query('set session_replication_role = replica');
  else
    for (const table of ['ledger', 'ledger_digests', 'ledger_seals'])
      for (const operation of ['update', 'delete']) await query(`drop trigger ${table}_refuses_${operation}`);
}
