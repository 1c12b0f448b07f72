import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type Dialect, postgresDialect, sqliteDialect } from '../engine/dialect.ts';

export type Run = (sql: string) => Promise<unknown>;

/** A class, as TypeORM expects it. */
export type MigrationClass = new () => MigrationInterface;

/**
 * `name` ends with 13 digits, by which TypeORM sorts: day and number. Databases record it, so it never changes. All pending migrations run in
 * one transaction.
 */
export const migration = (name: string, up: (run: Run, dialect: Dialect) => Promise<unknown>): MigrationClass =>
  class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      await up((sql) => runner.query(sql), runner.connection.options.type === 'postgres' ? postgresDialect : sqliteDialect);
    }

    async down(): Promise<void> {
      throw new Error('Migrations are not undone. Restore the backup from before.');
    }
  };
