/** The few words that the engines spell differently. Parameters are `$1`, `$2`, … on both, first used in ascending order. */
export interface Dialect {
  readonly engine: 'sqlite' | 'postgres';
  /** A primary key that is never given out twice, not even after its row was deleted. */
  readonly id: string;
  /** Holds back every other writer of the feed until the commit. SQLite has one writer anyway. */
  readonly lockFeed: string | null;
}

export const sqliteDialect: Dialect = { engine: 'sqlite', id: 'integer primary key autoincrement', lockFeed: null };

/** Advisory locks are numbers that are known to all who use this database; these are ours. */
export const advisoryLocks = { feed: 8_305_001, migrations: 8_305_002, clearing: 8_305_003, payoutRequests: 8_305_004 };

export const postgresDialect: Dialect = {
  engine: 'postgres',
  id: 'bigint generated always as identity primary key',
  lockFeed: `select pg_advisory_xact_lock(${advisoryLocks.feed})`,
};

export const lockMigrations = `select pg_advisory_xact_lock(${advisoryLocks.migrations})`;

/**
 * Held by one who tries again, in all processes together. Unlike an advisory lock it is waited for before the transaction takes its view
 * of the data, which would else be old by the time it is granted. It keeps nobody from reading or writing the table.
 */
export const lockRetries = 'lock table migrations in share update exclusive mode';
