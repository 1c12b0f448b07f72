import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemClock } from '../../../domain/clock.ts';
import { sqliteDialect } from '../dialect.ts';
import { writeNewFile } from '../new-file.ts';
import type { Storage, StorageOptions } from '../storage.ts';
import { SqliteConnection } from './connection.ts';
import { ConnectionPool } from './connection-pool.ts';
import { MemoryWindowCounters } from './memory-counters.ts';
import { describeOpenError, refuseReadOnly } from './open-errors.ts';
import { WalVersion } from './wal-version.ts';

/** Readers run beside the writer. Each occupies one of Node's four threads, so more would not be faster. */
const readerCount = 2;

export async function openSqlite(path: string, options: StorageOptions): Promise<Storage> {
  createPrivateFile(path);
  const writer = new SqliteConnection(path, 'writer', options);
  const readers = Array.from({ length: readerCount }, () => new SqliteConnection(path, 'reader', options));
  const walVersion = new WalVersion(path);
  const close = async () => {
    for (const reader of readers) await reader.close();
    // The last connection to close checkpoints the write-ahead log, which readers may not.
    await writer.close();
    walVersion.close();
  };
  try {
    refuseReadOnly(path);
    // The writer creates the file that readers expect.
    await writer.open();
    for (const reader of readers) await reader.open();
  } catch (error) {
    await close();
    throw new Error(`Could not open the SQLite file ${path}: ${describeOpenError(error)}`, { cause: error });
  }
  const writerPool = new ConnectionPool([writer], options.timeoutMs);
  const readerPool = new ConnectionPool(readers, options.timeoutMs);
  return {
    dialect: sqliteDialect,
    counters: new MemoryWindowCounters(options.clock ?? systemClock),
    query: (work) => readerPool.use((reader) => reader.singleStatement(work)),
    read: (work) => readerPool.use((reader) => reader.transaction(work)),
    write: (work) => writerPool.use((connection) => connection.transaction(work)),
    // BEGIN IMMEDIATE is the only lock it needs.
    migrate: (work) => writerPool.use((connection) => connection.transaction(work)),
    // There is one writer, and nothing was committed since it began.
    queryCommitted: (manager) => (sql, values) => manager.query(sql, values),
    version: () => walVersion.current(),
    // Reads the file, which `select 1` would not.
    ping: async () => void (await readerPool.use((reader) => reader.query('select count(*) from sqlite_master'))),
    backup: (file) => writeNewFile(file, () => copyTo(path, file, options)),
    time: async () => null,
    load: () => ({ writers: writerPool.stats.load(), readers: readerPool.stats.load(), retries: 0 }),
    close,
  };
}

/** The file contains addresses and password hashes: a new one gets mode 0600, which SQLite copies to the files beside it. */
function createPrivateFile(path: string): void {
  try {
    // SQLite's driver would create a missing folder and make the file world-readable.
    mkdirSync(dirname(path), { recursive: true });
    closeSync(openSync(path, 'ax', 0o600));
  } catch {
    // The file exists, or opening it reports the reason better.
  }
}

/** Uses a connection of its own, so that it blocks no reader. */
async function copyTo(path: string, file: string, options: StorageOptions): Promise<void> {
  const reader = new SqliteConnection(path, 'reader', options);
  try {
    await reader.open();
    await reader.query('vacuum into $1', [file]);
  } finally {
    await reader.close();
  }
}
