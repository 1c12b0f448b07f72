import type { QueryRunner } from 'typeorm';
import { openDatabase } from '../../db/database.ts';
import { migrations } from '../../db/migrations/index.ts';
import type { MigrationClass } from '../../db/migrations/migration.ts';

/** Migrates, and stops before the commit of one migration, to be killed there. Its first argument is the task as JSON. */
export interface MigrationTask {
  databaseUrl: string;
  stopIn: string;
}

const { databaseUrl, stopIn }: MigrationTask = JSON.parse(process.argv[2] ?? '');

const nameOf = (Migration: MigrationClass): string => new Migration().name ?? '';

const stopBeforeCommit = (Migration: MigrationClass): MigrationClass =>
  class extends Migration {
    override async up(runner: QueryRunner): Promise<void> {
      await super.up(runner);
      process.stdout.write('in the middle\n');
      await new Promise(() => setInterval(() => {}, 1000));
    }
  };

const database = await openDatabase({
  url: databaseUrl,
  migrations: migrations.map((Migration) => (nameOf(Migration) === stopIn ? stopBeforeCommit(Migration) : Migration)),
});
await database.migrate();
