import { openDatabase } from '../../db/database.ts';
import { migrations } from '../../db/migrations/index.ts';
import type { Migration } from '../../db/migrations/migration.ts';

/** Migrates, and stops in the middle of the migration named, to be killed there. It is told everything by its first argument. */
export interface MigratingTask {
  databaseUrl: string;
  stopIn: string;
}

const { databaseUrl, stopIn }: MigratingTask = JSON.parse(process.argv[2] ?? '');

const stopping = (migration: Migration): Migration => ({
  name: migration.name,
  async up(run, dialect) {
    await migration.up(run, dialect);
    process.stdout.write('in the middle\n');
    await new Promise(() => setInterval(() => {}, 1000));
  },
});

const database = await openDatabase({
  url: databaseUrl,
  migrations: migrations.map((migration) => (migration.name === stopIn ? stopping(migration) : migration)),
});
await database.migrate();
