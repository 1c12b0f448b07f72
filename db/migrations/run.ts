import { type EntityManager, MigrationExecutor } from 'typeorm';

/** Runs the pending migrations. Callers must hold the lock of migrations, in a transaction. Returns their names. */
export async function runMigrations(manager: EntityManager): Promise<string[]> {
  await listPending(manager);
  const executor = createExecutor(manager);
  // The transaction of the caller is used.
  executor.transaction = 'none';
  return (await executor.executePendingMigrations()).map(({ name }) => name);
}

/** @throws when the database was migrated by another version, whose tables this one would read and write wrongly. */
export async function listPending(manager: EntityManager): Promise<string[]> {
  const names = (await createExecutor(manager).getAllMigrations()).map(({ name }) => name);
  const done = await listDone(manager);
  if (done.includes(firstOfPreview)) throw new PreviewDatabaseError();
  const unknown = done.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(
      `The database was migrated by a newer version of affiliate, which has ${unknown}. Run that version, or restore the backup from before the upgrade.`,
    );
  return names.filter((name) => !done.includes(name));
}

const createExecutor = (manager: EntityManager): MigrationExecutor => new MigrationExecutor(manager.connection, manager.queryRunner);

async function listDone(manager: EntityManager): Promise<string[]> {
  if (!(await manager.queryRunner?.hasTable('migrations'))) return [];
  const rows: { name: string }[] = await manager.query('select name from migrations');
  return rows.map(({ name }) => name);
}

/** Databases made before the first release have it. */
const firstOfPreview = '20261115000100-create-users';

export class PreviewDatabaseError extends Error {
  constructor() {
    super('This database was made by a version before 2.0.0 and cannot be upgraded. Start with a new one: set DATABASE_URL or DATA_DIR.');
  }
}
