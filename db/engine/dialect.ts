/** SQL that differs between the engines. Parameters are `$1`, `$2`, … on both, first used in ascending order. */
export interface Dialect {
  readonly engine: 'sqlite' | 'postgres';
  /** A primary key that is never reused, not even after its row was deleted. */
  readonly id: string;
  /** Blocks every other writer of the feed until the commit. SQLite has one writer in any case. */
  readonly lockFeed: string | null;
}

export const sqliteDialect: Dialect = { engine: 'sqlite', id: 'integer primary key autoincrement', lockFeed: null };

/** Numbers of advisory locks, shared by all processes on a database. */
export const advisoryLocks = {
  feed: 8_305_001,
  migrations: 8_305_002,
  clearing: 8_305_003,
  payoutRequests: 8_305_004,
  payoutBatches: 8_305_005,
  retention: 8_305_006,
};

export const postgresDialect: Dialect = {
  engine: 'postgres',
  id: 'bigint generated always as identity primary key',
  lockFeed: `select pg_advisory_xact_lock(${advisoryLocks.feed})`,
};

export const lockMigrations = `select pg_advisory_xact_lock(${advisoryLocks.migrations})`;

/**
 * Held by a retried transaction, one at a time over all processes. Unlike an advisory lock, a table lock is granted before the transaction
 * takes its snapshot, so the snapshot is not out of date by then. This mode blocks neither reads nor writes of the table.
 */
export const lockRetries = 'lock table migrations in share update exclusive mode';
