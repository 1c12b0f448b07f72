import { openDatabase } from '../../db/database.ts';
import { migrations } from '../../db/migrations/index.ts';
import type { Migration } from '../../db/migrations/migration.ts';

/** Migrates, and stops before the commit of one migration, to be killed there. Its first argument is the task as JSON. */
export interface MigrationTask {
  databaseUrl: string;
  stopIn: string;
}

const { databaseUrl, stopIn }: MigrationTask = JSON.parse(process.argv[2] ?? '');

const stopBeforeCommit = (migration: Migration): Migration => ({
  name: migration.name,
  async up(run, dialect) {
    await migration.up(run, dialect);
    process.stdout.write('in the middle\n');
    await new Promise(() => setInterval(() => {}, 1000));
  },
});

const database = await openDatabase({
  url: databaseUrl,
  migrations: migrations.map((migration) => (migration.name === stopIn ? stopBeforeCommit(migration) : migration)),
});
await database.migrate();
