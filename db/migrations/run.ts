import type { EntityManager } from 'typeorm';
import type { Clock } from '../../domain/clock.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Storage } from '../engine/storage.ts';
import type { Migration } from './migration.ts';

// TypeORM's own executor lets two processes run the same migration at once, and makes its table outside of any transaction.

const remember = 'create table if not exists migrations (name text primary key, run_at bigint not null)';

/** Runs what has not run yet, each in a transaction of its own: an interrupted one leaves the database as before. */
export async function runMigrations(
  storage: Storage,
  migrations: readonly Migration[],
  clock: Clock,
  onStep: (name: string) => void,
): Promise<void> {
  const pending = await pendingOf(storage, migrations);
  for (const migration of migrations.filter(({ name }) => pending.includes(name))) {
    if (await storage.migrate((manager) => runOnce(manager, storage.dialect, migration, clock.now()))) onStep(migration.name);
  }
}

export const pendingOf = (storage: Storage, migrations: readonly Migration[]): Promise<string[]> =>
  storage.read(async (manager) => {
    const done = (await manager.queryRunner?.hasTable('migrations')) ? await namesIn(manager) : [];
    refuseNewer(done, migrations);
    return migrations.map(({ name }) => name).filter((name) => !done.includes(name));
  });

/** What a later version has changed, this one would read and write wrongly. */
function refuseNewer(done: readonly string[], migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ name }) => name));
  const newest = done
    .filter((name) => !known.has(name))
    .toSorted()
    .at(-1);
  if (newest === undefined) return;
  throw new Error(
    `The database was migrated by a newer version of affiliate, up to ${newest}, which this one does not know. ` +
      'Run that version, or restore the backup from before the upgrade.',
  );
}

async function namesIn(manager: EntityManager): Promise<string[]> {
  const rows: { name: string }[] = await manager.query('select name from migrations');
  return rows.map(({ name }) => name);
}

/** False when another process was quicker. */
async function runOnce(manager: EntityManager, dialect: Dialect, { name, up }: Migration, now: number): Promise<boolean> {
  await manager.query(remember);
  if ((await namesIn(manager)).includes(name)) return false;
  await up((sql) => manager.query(sql), dialect);
  await manager.query('insert into migrations (name, run_at) values ($1, $2)', [name, now]);
  return true;
}
