import type { Engine, Observer } from './engines.ts';

/**
 * Allows this observer to change what the database protects: rows of the ledger and its seals, and rows that others refer to.
 * Returns what enables the protection again.
 */
export async function disableIntegrityChecks({ name }: Pick<Engine, 'name'>, { query }: Observer): Promise<() => Promise<void>> {
  if (name === 'postgres') {
    await query('set session_replication_role = replica');
    return async () => void (await query('set session_replication_role = default'));
  }
  // On SQLite, foreign keys are enforced only on connections that enable them, which an observer does not.
  const triggers = await query<{ name: string; sql: string }>(
    "select name, sql from sqlite_master where type = 'trigger' and tbl_name in ('ledger', 'ledger_seals')",
  );
  for (const trigger of triggers) await query(`drop trigger ${trigger.name}`);
  return async () => {
    for (const { sql } of triggers) await query(sql);
  };
}
