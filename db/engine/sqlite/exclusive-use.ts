import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import sqlite3 from 'sqlite3';
import { errorCode } from '../database-error.ts';

/** A process that is ending may have the database open a moment longer. */
const timeoutMs = 1000;

/** Afterwards no other connection can open the database, and it has no log. With a log, SQLite locks the file as long as it is open. */
const exclude = 'pragma locking_mode = exclusive; begin exclusive; commit; pragma journal_mode = delete; begin exclusive; commit';

/**
 * Keeps all processes out of a database, and writes its log into its file, so that the file alone is the database: a process that was killed
 * leaves its last transactions in the log. Returns a function that ends it, or null while another connection is open. A damaged database
 * stays as it is: no process can use it.
 */
export async function acquireExclusiveUse(file: string): Promise<(() => Promise<void>) | null> {
  const handle = await new Promise<sqlite3.Database | null>((resolve) => {
    const opened: sqlite3.Database = new sqlite3.Database(file, sqlite3.OPEN_READWRITE, (error) => resolve(error ? null : opened));
  });
  if (!handle) return async () => {};
  const release = (): Promise<void> => new Promise((resolve) => handle.close(() => resolve()));
  handle.configure('busyTimeout', timeoutMs);
  try {
    await promisify<string, void>(handle.exec.bind(handle) as never)(exclude);
    // Of a process that was killed. Without a log it has no meaning.
    rmSync(`${file}-shm`, { force: true });
  } catch (error) {
    if (errorCode(error) === 'SQLITE_BUSY') return release().then(() => null);
  }
  return release;
}
