import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemClock } from '../../../domain/clock.ts';
import { sqliteDialect } from '../dialect.ts';
import { newFile } from '../new-file.ts';
import type { Storage, StorageOptions } from '../storage.ts';
import { SqliteConnection } from './connection.ts';
import { MemoryCounters } from './memory-counters.ts';
import { refuseReadOnly, whyNotOpened } from './open-errors.ts';
import { Pool } from './pool.ts';
import { Committed } from './wal-version.ts';

/** Reads run beside the writer. Each occupies a thread of the four that Node has, so more would not be faster. */
const numberOfReaders = 2;

export async function openSqlite(path: string, options: StorageOptions): Promise<Storage> {
  makePrivate(path);
  const writer = new SqliteConnection(path, 'writer', options);
  const readers = Array.from({ length: numberOfReaders }, () => new SqliteConnection(path, 'reader', options));
  const committed = new Committed(path);
  const close = async () => {
    for (const reader of readers) await reader.close();
    // The last one to leave tidies up the write-ahead log, which readers may not.
    await writer.close();
    committed.close();
  };
  try {
    refuseReadOnly(path);
    // The writer makes the file that readers expect.
    await writer.open();
    for (const reader of readers) await reader.open();
  } catch (error) {
    await close();
    throw new Error(`Could not open the SQLite file ${path}: ${whyNotOpened(error)}`, { cause: error });
  }
  return storageOn({
    path,
    writers: new Pool([writer], options.patienceMs),
    readers: new Pool(readers, options.patienceMs),
    committed,
    options,
    close,
  });
}

/** It holds addresses and hashes of passwords: a new file is for its owner alone, and what SQLite makes beside it takes after it. */
function makePrivate(path: string): void {
  try {
    // Where the folder is missing as well, SQLite's driver would make both, and the file for everybody.
    mkdirSync(dirname(path), { recursive: true });
    closeSync(openSync(path, 'ax', 0o600));
  } catch {
    // It is there already, or SQLite will tell better why it cannot be made.
  }
}

interface Opened {
  path: string;
  writers: Pool<SqliteConnection>;
  readers: Pool<SqliteConnection>;
  committed: Committed;
  options: StorageOptions;
  close: () => Promise<void>;
}

function storageOn({ path, writers, readers, committed, options, close }: Opened): Storage {
  return {
    dialect: sqliteDialect,
    counters: new MemoryCounters(options.clock ?? systemClock),
    reading: (work) => readers.use((reader) => reader.transaction(work)),
    writing: (work) => writers.use((writer) => writer.transaction(work)),
    // BEGIN IMMEDIATE is all the lock that it takes.
    migrating: (work) => writers.use((writer) => writer.transaction(work)),
    // There is one writer, and nothing was committed since it began.
    latest: (manager) => (sql, values) => manager.query(sql, values),
    version: () => committed.version(),
    // Reads the file, which `select 1` would not.
    ping: async () => void (await readers.use((reader) => reader.query('select count(*) from sqlite_master'))),
    backup: (file) => newFile(file, () => copyInto(path, file, options)),
    time: async () => null,
    load: () => ({ writers: writers.waits.now(), readers: readers.waits.now(), retries: 0 }),
    close,
  };
}

/** On a connection of its own, so that nobody waits for it. */
async function copyInto(path: string, file: string, options: StorageOptions): Promise<void> {
  const reader = new SqliteConnection(path, 'reader', options);
  try {
    await reader.open();
    await reader.query('vacuum into $1', [file]);
  } finally {
    await reader.close();
  }
}
