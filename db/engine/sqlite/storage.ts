import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import path, { dirname } from 'node:path';
import { systemClock } from '../../../domain/clock.ts';
import { errorCode } from '../database-error.ts';
import { sqliteDialect } from '../dialect.ts';
import { FifoQueue, QueueStats } from '../fifo-queue.ts';
import { type Storage, type StorageOptions, writeNewFile } from '../storage.ts';
import { SqliteConnection } from './connection.ts';
import { describeLockHolder } from './lock-holder.ts';
import { MemoryWindowCounters } from './memory-counters.ts';
import { WalVersion } from './wal-version.ts';

/** Readers run beside the writer. Each occupies one of Node's four threads, so more would not be faster. */
const readerCount = 2;

/** A long read would keep the others waiting, so it has a connection of its own. */
const heavyReaderCount = 1;

export async function openSqlite(path: string, options: StorageOptions): Promise<Storage> {
  createPrivateFile(path);
  const writer = new SqliteConnection(path, 'writer', options);
  const readers = Array.from({ length: readerCount + heavyReaderCount }, () => new SqliteConnection(path, 'reader', options));
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
    throw new Error(`Could not open the SQLite file ${path}: ${describeOpenError(error, path)}`, { cause: error });
  }
  const writerPool = new ConnectionPool([writer], options.timeoutMs);
  // No request waits longer for a read: the statement fails with SQLITE_INTERRUPT, which is answered with 503.
  const interrupt = (reader: SqliteConnection): void => reader.interrupt();
  const readerPool = new ConnectionPool(readers.slice(heavyReaderCount), options.timeoutMs, interrupt);
  const heavyReaderPool = new ConnectionPool(readers.slice(0, heavyReaderCount), options.timeoutMs, interrupt);
  return {
    dialect: sqliteDialect,
    counters: new MemoryWindowCounters(options.clock ?? systemClock),
    query: (work) => readerPool.use((reader) => reader.singleStatement(work)),
    read: (work) => readerPool.use((reader) => reader.transaction(work)),
    readHeavy: (work) => heavyReaderPool.use((reader) => reader.transaction(work)),
    write: (work) => writerPool.use((connection) => connection.transaction(work)),
    // BEGIN IMMEDIATE is the only lock it needs.
    migrate: (work) => writerPool.use((connection) => connection.transaction(work)),
    // There is one writer, and nothing was committed since it began.
    queryCommitted: (manager) => (sql, values) => manager.query(sql, values),
    version: () => walVersion.current(),
    // Reads the file, which `select 1` would not.
    ping: async () => void (await readerPool.use((reader) => reader.query('select count(*) from sqlite_master'))),
    backup: (file) => writeNewFile(file, () => withReader(path, options, (reader) => reader.query('vacuum into $1', [file]))),
    compact: () => writerPool.use(compact),
    analyze: async () => {},
    integrityProblem: () => withReader(path, options, checkIntegrity),
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

/** Uses a connection of its own, so that long work blocks no reader. */
async function withReader<Result>(
  path: string,
  options: StorageOptions,
  work: (reader: SqliteConnection) => Promise<Result>,
): Promise<Result> {
  const reader = new SqliteConnection(path, 'reader', options);
  try {
    await reader.open();
    return await work(reader);
  } finally {
    await reader.close();
  }
}

/** Writes the file anew, then empties the log. Other writers wait meanwhile. The copy is a file, because it may be larger than the memory. */
async function compact(writer: SqliteConnection): Promise<void> {
  await writer.query('pragma temp_store = file');
  await writer.query('vacuum');
  await writer.query('pragma temp_store = memory');
  const [row] = (await writer.query('pragma wal_checkpoint(truncate)')) as { busy: number }[];
  if (row?.busy !== 0) throw new Error('The write-ahead log is in use.');
}

/**
 * SQLite lists the damage, or says `ok`. It looks up every row in every index, so almost each page it reads is another one than before. Mapped
 * into memory they are not copied: of 100,000 orders that takes two thirds of the time.
 */
async function checkIntegrity(reader: SqliteConnection): Promise<string | null> {
  await reader.query('pragma mmap_size = 0x7fff0000');
  const [row] = (await reader.query('pragma integrity_check(1)')) as { integrity_check: string }[];
  return row?.integrity_check === 'ok' ? null : (row?.integrity_check ?? 'nothing could be read');
}

/** A fixed number of connections with a FIFO queue. A pool of one connection is a write queue. */
class ConnectionPool<Connection extends object> {
  readonly #idle: Connection[];
  readonly #queue: FifoQueue<(connection: Connection) => void>;
  readonly #timeoutMs: number | undefined;
  readonly #onTimeout: ((connection: Connection) => void) | undefined;
  readonly stats = new QueueStats();

  /** `onTimeout` receives a connection whose work takes longer than the timeout. */
  constructor(connections: Connection[], timeoutMs?: number, onTimeout?: (connection: Connection) => void) {
    this.#idle = [...connections];
    this.#queue = new FifoQueue(timeoutMs);
    this.#timeoutMs = timeoutMs;
    this.#onTimeout = onTimeout;
  }

  async use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = this.#idle.pop() ?? (await this.stats.time(this.#queue.wait<Connection>((resolve) => resolve)));
    const timer = this.#onTimeout && this.#timeoutMs !== undefined ? setTimeout(this.#onTimeout, this.#timeoutMs, connection) : undefined;
    try {
      return await work(connection);
    } finally {
      clearTimeout(timer);
      const next = this.#queue.shift();
      if (next) next(connection);
      else this.#idle.push(connection);
    }
  }
}

/** What to do about a database file that cannot be used. */
const advice: Record<string, string> = {
  SQLITE_NOTADB: 'it is not an SQLite database, or its beginning was overwritten. Name another file, or restore a backup',
  SQLITE_CORRUPT: 'it is damaged. Keep a copy of it and of the files beside it, then restore a backup',
  SQLITE_CANTOPEN: 'it cannot be opened. It must be a file in a folder that exists, and this user must be allowed to write to both',
  SQLITE_READONLY: 'it may not be written to. Let this user write to it and to its folder',
  SQLITE_FULL: 'its disk is full. Free some space',
  SQLITE_IOERR: 'its disk reports errors. Check the system log',
};

function describeOpenError(error: unknown, path: string): string {
  const code = errorCode(error) ?? '';
  if (code === 'SQLITE_BUSY') return `${describeLockHolder(path)} has locked it. Try again when that has finished, or stop it (${code}).`;
  if (advice[code] !== undefined) return `${advice[code]} (${code}).`;
  return error instanceof Error ? error.message : String(error);
}

/** SQLite would open a read-only file and fail with the first write. */
function refuseReadOnly(file: string): void {
  for (const place of [file, path.dirname(path.resolve(file))])
    if (existsSync(place) && !isWritable(place))
      throw new Error(`${place} may not be written to by this user. SQLite writes to the file and creates others beside it.`);
}

function isWritable(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
