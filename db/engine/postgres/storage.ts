import { setTimeout } from 'node:timers/promises';
import pg, { type ClientConfig } from 'pg';
import { DataSource } from 'typeorm';
import type { IsolationLevel } from '../../../domain/unit-of-work.ts';
import { entities } from '../../entities/index.ts';
import { errorCode } from '../database-error.ts';
import { lockMigrations, lockWrites, postgresDialect } from '../dialect.ts';
import { QueueStats } from '../fifo-queue.ts';
import { quietLogger } from '../quiet-logger.ts';
import { type ManagedWork, type Storage, type StorageOptions, writeNewFile } from '../storage.ts';
import { PostgresConnection } from './connection.ts';
import { dumpTo } from './dump.ts';
import { PostgresWindowCounters } from './postgres-counters.ts';
import { Semaphore } from './semaphore.ts';
import { beginWrite, limitStatements } from './statement-timeout.ts';

/**
 * Four pools, so that a read, a count or a committed read never waits for a connection that its own caller holds. TypeORM's data source has
 * two: of further `slaves` it would choose any. The others run a few statements without entities, so they are the driver's own.
 */
const poolSizes = { writers: 4, readers: 4, counters: 2, committed: 1 } as const;

/** The other readers stay free for short reads. */
const maxHeavyReads = 2;

/** A committed read runs under a lock, and PostgreSQL detects no deadlock between two connections of ours. */
const committedTimeoutMs = 10_000;

/** Limits the wait for a connection, where the server does not answer or all connections are in use. */
const connectTimeoutMs = 10_000;

/** Writes are serializable, as they are on SQLite: a guarantee of one engine holds on the other. */
const beginSerializable = 'START TRANSACTION ISOLATION LEVEL SERIALIZABLE';
const beginReadCommitted = 'START TRANSACTION ISOLATION LEVEL READ COMMITTED';
/** The first attempt of a write, and the lock that it waits for. */
const firstAttempt: Record<IsolationLevel, readonly [begin: string, lock?: string]> = {
  serializable: [beginSerializable, lockWrites.shared],
  exclusive: [beginSerializable, lockWrites.exclusive],
  unlocked: [beginSerializable],
  'read-committed': [beginReadCommitted, lockWrites.shared],
};
const exclusiveAttempt = (isolation: IsolationLevel): readonly [begin: string, lock: string] => [
  firstAttempt[isolation][0],
  lockWrites.exclusive,
];
const beginRead = 'START TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';
/** After its lock is granted, a migration must see what the process before it has committed. */
const beginMigration = beginReadCommitted;

/** A broken idle connection emits an error that would end the process without a listener; its next statement reports it as well. */
class Client extends pg.Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}

export async function openPostgres(url: string, options: StorageOptions): Promise<Storage> {
  const { timeoutMs } = options;
  const source = createDataSource(url, options);
  const common = { connectionString: url, connectionTimeoutMillis: timeoutMs ?? connectTimeoutMs, Client };
  const counterPool = new pg.Pool({ ...common, max: poolSizes.counters, query_timeout: timeoutMs });
  const committedPool = new pg.Pool({ ...common, max: poolSizes.committed, query_timeout: timeoutMs ?? committedTimeoutMs });
  // The pool replaces an idle connection that breaks; without a listener the error would end the process.
  for (const pool of [counterPool, committedPool]) pool.on('error', () => {});
  const close = async () => {
    if (source.isInitialized) await source.destroy();
    await Promise.all([counterPool.end(), committedPool.end()]);
  };
  try {
    await source.initialize();
  } catch (error) {
    await close();
    throw new Error(`Could not connect to PostgreSQL: ${describeReason(error)}`, { cause: error });
  }
  const { writers, readers } = poolsOf(source);
  limitStatements(readers, timeoutMs);
  const semaphore = new Semaphore(poolSizes.writers, timeoutMs);
  const heavyReads = new Semaphore(maxHeavyReads, timeoutMs);
  const readerStats = new QueueStats();
  let retries = 0;
  const onRetry = (): void => {
    retries += 1;
  };
  const runner = source.createQueryRunner();
  const createConnection = (client: pg.PoolClient, limit: number | undefined): PostgresConnection =>
    new PostgresConnection(runner, client, { onStatement: options.onStatement, timeoutMs: limit });
  /** Created once for each client: that costs as much as a short statement. */
  const connections = new WeakMap<pg.PoolClient, PostgresConnection>();
  const connectionOf = (client: pg.PoolClient): PostgresConnection => {
    const connection = connections.get(client) ?? createConnection(client, timeoutMs);
    connections.set(client, connection);
    return connection;
  };
  const useClient = async <Result>(
    connecting: Promise<pg.PoolClient>,
    work: (connection: PostgresConnection) => Promise<Result>,
    toConnection = connectionOf,
  ): Promise<Result> => {
    const client = await connecting;
    try {
      return await work(toConnection(client));
    } finally {
      client.release();
    }
  };
  const useReader = <Result>(work: (connection: PostgresConnection) => Promise<Result>): Promise<Result> => {
    const mustWait = readers.idleCount === 0 && readers.totalCount >= poolSizes.readers;
    return useClient(mustWait ? readerStats.time(readers.connect()) : readers.connect(), work);
  };
  const read = <Result>(work: ManagedWork<Result>): Promise<Result> =>
    useReader((connection) => connection.transaction(beginRead, true, work));
  const write = <Result>([begin, lock]: readonly [begin: string, lock?: string], work: ManagedWork<Result>): Promise<Result> =>
    useClient(writers.connect(), (connection) => connection.transaction(beginWrite(begin, timeoutMs, lock), false, work));
  // Not limited: a migration may take long.
  const migrate = <Result>(work: ManagedWork<Result>): Promise<Result> =>
    useClient(
      writers.connect(),
      (connection) => connection.transaction(beginMigration, false, lockFirst(lockMigrations, work)),
      (client) => createConnection(client, undefined),
    );
  return {
    dialect: postgresDialect,
    counters: new PostgresWindowCounters(counterPool, options.clock),
    query: (work) => useReader((connection) => connection.singleStatement(work)),
    read,
    readHeavy: (work) => heavyReads.use(1, () => read(work)),
    write: (work, isolation = 'serializable') =>
      retrySerialization(
        semaphore,
        (attempt) => write(attempt === 'first' || isolation === 'unlocked' ? firstAttempt[isolation] : exclusiveAttempt(isolation), work),
        onRetry,
      ),
    migrate,
    queryCommitted: () => async (sql, values) => {
      options.onStatement?.(sql);
      return (await committedPool.query(sql, values)).rows;
    },
    version: () => null,
    ping: async () => void (await read((manager) => manager.query('select 1'))),
    backup: (file) => writeNewFile(file, () => dumpTo(url, file)),
    integrityProblem: async () => null,
    compact: async () => {},
    analyze: () => analyzeGrown(writers),
    time: async () => {
      const { rows } = await readers.query<{ now: string }>('select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now');
      return Number(rows[0]?.now);
    },
    load: () => ({ writers: semaphore.stats.load(), readers: readerStats.load(), retries }),
    close,
  };
}

const grownTables = `
  select quote_ident(relname) as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
  and pg_relation_size(oid) > 2 * greatest(relpages, 1) * current_setting('block_size')::bigint`;

/** Of all tables it would take half a second, most of it for those of the system. */
async function analyzeGrown(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(grownTables);
  if (rows.length > 0) await pool.query(`analyze ${rows.map(({ name }) => name).join(', ')}`);
}

/** TypeORM's replication gives one data source two pools. Both are of the same server. */
const createDataSource = (url: string, { timeoutMs = connectTimeoutMs, migrations }: StorageOptions): DataSource =>
  new DataSource({
    type: 'postgres',
    replication: { master: { url }, slaves: [{ url }] },
    poolSize: poolSizes.writers,
    connectTimeoutMS: timeoutMs,
    extra: { Client, pipeline: true },
    entities,
    migrations: [...migrations],
    logger: quietLogger,
  });

/** Node reports one error for each address of a host name. */
const describeReason = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(describeReason).join('; ');
  return error instanceof Error ? error.message : String(error);
};

const lockFirst =
  <Result>(lock: string, work: ManagedWork<Result>): ManagedWork<Result> =>
  async (manager) => {
    await manager.query(lock);
    return work(manager);
  };

/** TypeORM has no public access to the pools of its driver. */
function poolsOf(source: DataSource): { writers: pg.Pool; readers: pg.Pool } {
  const { master, slaves } = source.driver as unknown as { master: pg.Pool; slaves: [pg.Pool] };
  return { writers: master, readers: slaves[0] };
}

const maxAttempts = 12;
const maxBackoffMs = 100;

/** serialization_failure, deadlock_detected and lock_not_available: another transaction goes on, so a retry makes progress. */
const isRetryable = (error: unknown): boolean => ['40001', '40P01', '55P03'].includes(errorCode(error) ?? '');

/**
 * A retry excludes all other writes, of this and of other processes: where many transactions write the same row, concurrent retries would let
 * one through and fail the rest each time. Only an `unlocked` write can fail it once more.
 */
async function retrySerialization<Result>(
  semaphore: Semaphore,
  work: (attempt: 'first' | 'retry') => Promise<Result>,
  onRetry: () => void,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (attempt === 1) return await semaphore.use(1, () => work('first'));
      // With all permits, so that those that would wait for the lock leave the connections to others.
      return await semaphore.use(semaphore.total, () => work('retry'));
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error)) throw error;
    }
    onRetry();
    // Random, so that conflicting processes do not conflict again.
    if (attempt > 1) await setTimeout(Math.random() * Math.min(maxBackoffMs, 2 ** attempt));
  }
}
