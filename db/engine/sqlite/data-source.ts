import { resolve } from 'node:path';
import sqlite3 from 'sqlite3';
import { DataSource } from 'typeorm';
import { entities } from '../../entities/index.ts';
import type { MigrationClass } from '../../migrations/migration.ts';
import { quietLogger } from '../quiet-logger.ts';

/** TypeORM calls `verbose()`, which captures a stack for every call and halves write throughput. */
const quietDriver = Object.assign(Object.create(sqlite3) as typeof sqlite3, { verbose: () => quietDriver });

interface SqliteDataSourceOptions {
  path: string;
  flags: number;
  busyTimeoutMs: number;
  migrations: readonly MigrationClass[];
}

let firstBuilt: Promise<DataSource> | undefined;

/** Opens and owns one handle on a file. */
export class SqliteDataSource extends DataSource {
  constructor({ path, flags, busyTimeoutMs, migrations }: SqliteDataSourceOptions) {
    super({
      type: 'sqlite',
      database: resolve(path),
      // Without OPEN_URI the driver creates the folder first, whose error says less than SQLite's.
      flags: flags | sqlite3.OPEN_URI,
      busyTimeout: busyTimeoutMs,
      driver: quietDriver,
      entities,
      migrations: [...migrations],
      logger: quietLogger,
    });
  }

  get handle(): sqlite3.Database {
    return (this.driver as unknown as { databaseConnection: sqlite3.Database }).databaseConnection;
  }

  /** Entity metadata takes 50 ms to build and depends on the entities alone: the first data source of the process builds it for all. */
  protected override async buildMetadatas(): Promise<void> {
    firstBuilt ??= super.buildMetadatas().then(() => this);
    const { entityMetadatas, entityMetadatasMap } = await firstBuilt;
    const migrations = (this.options.migrations as MigrationClass[]).map((Migration) => new Migration());
    Object.assign(this, { entityMetadatas, entityMetadatasMap, migrations });
  }
}
