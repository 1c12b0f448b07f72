import { open, rm } from 'node:fs/promises';
import type { EntityManager } from 'typeorm';
import type { Clock } from '../../domain/clock.ts';
import type { IsolationLevel } from '../../domain/unit-of-work.ts';
import type { WindowCounters } from '../../domain/window-counters.ts';
import type { MigrationClass } from '../migrations/migration.ts';
import { errorCode } from './database-error.ts';
import type { Dialect } from './dialect.ts';
import type { QueueLoad } from './fifo-queue.ts';

export type ManagedWork<Result> = (manager: EntityManager) => Promise<Result>;

/** The interface that SQLite and PostgreSQL implement differently. */
export interface Storage {
  readonly dialect: Dialect;
  readonly counters: WindowCounters;
  /** Runs one statement, without the round trips of a transaction. A second statement is refused. */
  query<Result>(work: ManagedWork<Result>): Promise<Result>;
  /** Runs in one read-only transaction that sees one committed state. */
  read<Result>(work: ManagedWork<Result>): Promise<Result>;
  /** As `read`, on connections that `query` and `read` do not need. */
  readHeavy<Result>(work: ManagedWork<Result>): Promise<Result>;
  /** Runs in one transaction, serializable by default. `work` may run again. SQLite has one writer at a time in any case. */
  write<Result>(work: ManagedWork<Result>, isolation?: IsolationLevel): Promise<Result>;
  /** Runs in one transaction, while no other process is inside `migrate`. */
  migrate<Result>(work: ManagedWork<Result>): Promise<Result>;
  /**
   * Reads from inside a write what is committed at this moment, where the write itself sees the state from its beginning. Callers must hold
   * a lock on what they read: without one the result is out of date as soon as it is returned.
   */
  queryCommitted(manager: EntityManager): (sql: string, values: unknown[]) => Promise<unknown[]>;
  /** Changes with every commit of any process. Null where only a query could tell. */
  version(): string | null;
  ping(): Promise<void>;
  load(): StorageLoad;
  /** The clock of the database's machine; null where that is this machine. */
  time(): Promise<number | null>;
  /** What is damaged; null if nothing is, and on PostgreSQL, which checks its pages itself. */
  integrityProblem(): Promise<string | null>;
  /** Writes a copy to a file that must not exist yet. */
  backup(file: string): Promise<void>;
  /** Removes what deleted and replaced rows have left in the files of SQLite. PostgreSQL does so by itself, with its vacuum. */
  compact(): Promise<void>;
  /** Counts rows and values of tables that have doubled, for the planner of PostgreSQL; its autovacuum does so minutes later. SQLite plans without. */
  analyze(): Promise<void>;
  close(): Promise<void>;
}

export interface StorageLoad {
  writers: QueueLoad;
  readers: QueueLoad;
  /** Writes that ran again after a serialization failure, since the start. */
  retries: number;
}

export interface StorageOptions {
  /** In the order in which they run. */
  migrations: readonly MigrationClass[];
  /** Default for counters that processes share: the database's clock. */
  clock?: Clock | undefined;
  onStatement?: ((sql: string) => void) | undefined;
  /** Limits the wait for the write queue, for a connection and for a statement. Without it, waits are not limited. */
  timeoutMs?: number | undefined;
}

/** Creates a file with mode 0600, lets `fill` write it, and removes it when that fails. @throws if the file exists. */
export async function writeNewFile(file: string, fill: () => Promise<unknown>): Promise<void> {
  await claim(file);
  try {
    await fill();
    await flush(file);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

async function claim(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new Error(`${file} exists already. A backup overwrites nothing: name a new file.`, { cause: error });
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.sync().finally(() => handle.close());
}
