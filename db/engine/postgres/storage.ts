import { Pool, type PoolClient } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import type { WriteManner } from '../../../domain/ports.ts';
import { entities } from '../../entities/index.ts';
import { lockMigrations, lockRetries, postgresDialect } from '../dialect.ts';
import { newFile } from '../new-file.ts';
import { Waits } from '../queue-stats.ts';
import { statementLogger } from '../statement-logger.ts';
import type { Storage, StorageOptions, Work } from '../storage.ts';
import { inTransaction } from '../transaction-manager.ts';
import { Client } from './client.ts';
import { dumpInto } from './dump.ts';
import { retrying } from './retries.ts';
import { Permits } from './semaphore.ts';
import { inTime, limited, limitStatements } from './statement-timeout.ts';
import { TableCounters } from './table-counters.ts';

// Four pools, so that a read inside a write, a count inside either, or a question under a lock never waits for a connection that its own
// caller holds. Of those who ask under the one lock there is, one at a time has it.
const poolSizes = { writers: 4, readers: 4, counters: 2, latest: 1 };

// Whoever asks under a lock holds others up, and PostgreSQL does not see that two connections of ours wait for each other.
const latestTimeoutMs = 10_000;

/** How long to wait for a connection at most, be it that the server does not answer or that all are in use. */
const longestWaitMs = 10_000;

// Writes behave as if they ran one after the other, as they do on SQLite: what holds on one engine holds on the other.
const beginWrites: Record<WriteManner, string> = {
  'in turn': 'START TRANSACTION ISOLATION LEVEL SERIALIZABLE',
  'row by row': 'START TRANSACTION ISOLATION LEVEL READ COMMITTED',
};
const beginRead = 'START TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';
// After the lock is granted it must see what the process before it has committed.
const beginMigration = 'START TRANSACTION ISOLATION LEVEL READ COMMITTED';

export async function openPostgres(url: string, options: StorageOptions): Promise<Storage> {
  const writers = poolOf(url, poolSizes.writers, options);
  const readers = poolOf(url, poolSizes.readers, options);
  const { patienceMs } = options;
  const connectionTimeoutMillis = patienceMs ?? longestWaitMs;
  const common = { connectionString: url, connectionTimeoutMillis, Client };
  const counting = new Pool({ ...common, max: poolSizes.counters, query_timeout: patienceMs });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  counting.on('error', () => {});
  const asking = new Pool({ ...common, max: poolSizes.latest, query_timeout: patienceMs ?? latestTimeoutMs });
  asking.on('error', () => {});
  const close = async () => {
    await Promise.all([writers, readers].map((source) => (source.isInitialized ? source.destroy() : undefined)));
    await Promise.all([counting.end(), asking.end()]);
  };
  const outcomes = await Promise.allSettled([writers.initialize(), readers.initialize()]);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) {
    await close();
    throw new Error(`Could not connect to PostgreSQL: ${reasonOf(failure.reason)}`, { cause: failure.reason });
  }
  const latest: Storage['latest'] = () => async (sql, values) => {
    options.onStatement?.(sql);
    return (await asking.query(sql, values)).rows;
  };
  return storageOn({ url, patienceMs, writers, readers, latest, counters: new TableCounters(counting, options.clock), close });
}

const poolOf = (url: string, poolSize: number, { onStatement, patienceMs = longestWaitMs }: StorageOptions): DataSource =>
  new DataSource({
    type: 'postgres',
    url,
    poolSize,
    connectTimeoutMS: patienceMs,
    extra: { Client },
    entities,
    ...statementLogger(onStatement),
  });

/** Where a name has several addresses, Node says nothing but gives one error for each. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
};

interface Connected extends Pick<Storage, 'counters' | 'latest' | 'close'> {
  url: string;
  patienceMs: number | undefined;
  writers: DataSource;
  readers: DataSource;
}

function storageOn({ url, patienceMs, writers, readers, counters, latest, close }: Connected): Storage {
  const permits = new Permits(poolSizes.writers, patienceMs);
  const transaction = <Result>(source: DataSource, begin: string, work: Work<Result>, waits?: Waits): Promise<Result> =>
    inTransactionOf(source, begin, work, { patienceMs, waits });
  const waits = new Waits();
  let retries = 0;
  return {
    dialect: postgresDialect,
    counters,
    reading: (work) => transaction(readers, beginRead, work, waits),
    writing: (work, manner = 'in turn') =>
      retrying(
        permits,
        (attempt) => transaction(writers, beginWrites[manner], attempt === 'alone' ? lockedFirst(lockRetries, work) : work),
        () => {
          retries += 1;
        },
      ),
    // It takes as long as it takes.
    migrating: (work) => inTransactionOf(writers, beginMigration, lockedFirst(lockMigrations, work)),
    latest,
    version: () => null,
    ping: async () => void (await transaction(readers, beginRead, (manager) => manager.query('select 1'))),
    backup: (file) => newFile(file, () => dumpInto(url, file)),
    time: async () => {
      const [row]: { now: string }[] = await readers.query('select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now');
      return Number(row?.now);
    },
    load: () => ({ writers: permits.waits.now(), readers: waits.now(), retries }),
    close,
  };
}

const lockedFirst =
  <Result>(lock: string, work: Work<Result>): Work<Result> =>
  async (manager) => {
    await manager.query(lock);
    return work(manager);
  };

interface Waiting {
  patienceMs?: number | undefined;
  waits?: Waits | undefined;
}

async function inTransactionOf<Result>(source: DataSource, begin: string, work: Work<Result>, waiting: Waiting = {}): Promise<Result> {
  const { patienceMs, waits } = waiting;
  const runner = source.createQueryRunner();
  const boundaries = {
    begin: limitStatements(begin, patienceMs),
    commit: () => inTime(runner, patienceMs, () => commit(runner)),
    // A connection that cannot even roll back is broken, and the pool does not keep such.
    broken: async () => {},
  };
  try {
    // Whoever finds a connection free has it within this turn of the event loop, and is not worth a look at the clock.
    if (waits && !hasFree(source)) await waits.timed(runner.connect());
    return await inTransaction(limited(runner, patienceMs), boundaries, work);
  } finally {
    await runner.release();
  }
}

/** TypeORM keeps the pool of its driver to itself. */
function hasFree(source: DataSource): boolean {
  const { master } = source.driver as unknown as { master: Pool };
  return master.idleCount > 0 || master.totalCount < poolSizes.readers;
}

/** Asked of the connection itself, because PostgreSQL answers COMMIT with a rollback, not an error, when a statement had failed before. */
async function commit(runner: QueryRunner): Promise<void> {
  const connection: PoolClient = await runner.connect();
  const { command } = await connection.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('A statement of this unit of work had failed, so nothing was saved. Do not swallow its error.');
}
