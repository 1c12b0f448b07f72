import type { EntityManager } from 'typeorm';
import type { Clock } from '../../domain/ports.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Storage } from '../engine/storage.ts';
import { migrations as migrationTable } from '../entities/engine.ts';
import type { Migration } from './migration.ts';

// TypeORM's own executor lets two processes run the same migration at once, and creates its table outside of any transaction.

export const createMigrationTable = 'create table if not exists migrations (name text primary key, run_at bigint not null)';

/** Runs the pending migrations, each in a transaction of its own: an interrupted one leaves the database as before. */
export async function runMigrations(
  storage: Storage,
  migrations: readonly Migration[],
  clock: Clock,
  onStep: (name: string) => void,
): Promise<void> {
  const pending = await listPending(storage, migrations);
  for (const migration of migrations.filter(({ name }) => pending.includes(name))) {
    if (await storage.migrate((manager) => runOnce(manager, storage.dialect, migration, clock.now()))) onStep(migration.name);
  }
}

/** @throws when the database was migrated by a later version, whose tables this one would read and write wrongly. */
export const listPending = (storage: Storage, migrations: readonly Migration[]): Promise<string[]> =>
  storage.read(async (manager) => {
    const done = (await manager.queryRunner?.hasTable('migrations')) ? await listDone(manager) : [];
    const names = migrations.map(({ name }) => name);
    const unknown = done.filter((name) => !names.includes(name)).toSorted();
    if (unknown.length === 0) return names.filter((name) => !done.includes(name));
    throw new Error(
      `The database was migrated by a newer version of affiliate, up to ${unknown.at(-1)}, which this one does not know. ` +
        'Run that version, or restore the backup from before the upgrade.',
    );
  });

const listDone = async (manager: EntityManager): Promise<string[]> => (await manager.find(migrationTable)).map(({ name }) => name);

/** Returns false when another process has run the migration meanwhile. */
async function runOnce(manager: EntityManager, dialect: Dialect, { name, up }: Migration, now: number): Promise<boolean> {
  await manager.query(createMigrationTable);
  if ((await listDone(manager)).includes(name)) return false;
  await up((sql) => manager.query(sql), dialect);
  await manager.insert(migrationTable, { name, runAt: now });
  return true;
}
