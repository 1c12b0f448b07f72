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
const locks = { feed: 8_305_001, migrations: 8_305_002 };

export const postgresDialect: Dialect = {
  engine: 'postgres',
  id: 'bigint generated always as identity primary key',
  lockFeed: `select pg_advisory_xact_lock(${locks.feed})`,
};

export const lockMigrations = `select pg_advisory_xact_lock(${locks.migrations})`;
