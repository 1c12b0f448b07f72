import { type EntityManager, MigrationExecutor } from 'typeorm';

/**
 * Runs the pending migrations by TypeORM's executor: `dataSource.runMigrations()` would begin a transaction of its own, without the lock that
 * keeps other processes out. Callers must hold that lock, in a transaction. Returns the names of those that ran.
 */
export async function runMigrations(manager: EntityManager): Promise<string[]> {
  await listPending(manager);
  return (await createExecutor(manager).executePendingMigrations()).map(({ name }) => name);
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

const createExecutor = ({ connection, queryRunner }: EntityManager): MigrationExecutor => new MigrationExecutor(connection, queryRunner);

/** As the executor's `getExecutedMigrations()`, which needs a column that databases made before the first release do not have. */
async function listDone(manager: EntityManager): Promise<string[]> {
  if (!(await manager.queryRunner?.hasTable('migrations'))) return [];
  const rows = await manager.createQueryBuilder().select('name').from('migrations', 'done').getRawMany<{ name: string }>();
  return rows.map(({ name }) => name);
}

/** Databases made before the first release have it. */
const firstOfPreview = '20261115000100-create-users';

export class PreviewDatabaseError extends Error {
  constructor() {
    super('This database was made by a version before 2.0.0 and cannot be upgraded. Start with a new one: set DATABASE_URL or DATA_DIR.');
  }
}
