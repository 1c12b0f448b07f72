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
 * Held by every write until its end, on a table that none of them changes. A `shared` lock excludes only an `exclusive` one, of whichever
 * process. Unlike an advisory lock, a table lock is granted before the transaction takes its snapshot, so the snapshot is not out of date by
 * then: an exclusive write conflicts with no other.
 */
export const lockWrites = {
  shared: 'lock table migrations in row exclusive mode',
  // While it waits, all later writes wait behind it. So it waits for a second at a time, for the table and for the rows of others.
  exclusive: "set local lock_timeout = '1s'; lock table migrations in share row exclusive mode",
};
