import { chmodSync, closeSync, existsSync, openSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import sqlite3 from 'sqlite3';
import { errorCode } from '../database-error.ts';

export interface ServeLock {
  release(): Promise<void>;
}

/** A process that is ending may hold the lock a moment longer. */
const timeoutMs = 1000;

/**
 * Lets one process serve a database file: limits and lock-outs are counted in its memory. The lock is SQLite's own, on an empty file beside
 * the database, so the operating system releases it when the process ends, however it ends. Returns the id of the process that holds it, or
 * null for one that has not written it yet.
 */
export async function acquireServeLock(databasePath: string): Promise<ServeLock | { heldBy: string | null }> {
  const file = realpathSync(databasePath);
  const pidFile = `${file}-serve-pid`;
  // A lock that another user of the machine can open, that user can also hold.
  const lock = await openHandle(createPrivate(`${file}-serve-lock`));
  // Where no file can be created, nothing can be written to the database either.
  if (!lock) return { release: async () => {} };
  lock.configure('busyTimeout', timeoutMs);
  try {
    await promisify<string, void>(lock.exec.bind(lock) as never)('begin exclusive');
  } catch (error) {
    await close(lock);
    if (errorCode(error) !== 'SQLITE_BUSY') throw error;
    return { heldBy: readPid(pidFile) };
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return { release: () => close(lock) };
}

/** Whether a process holds the lock. Takes it at no time: a service may be starting. */
export async function isServed(databasePath: string): Promise<boolean> {
  const file = `${databasePath}-serve-lock`;
  const lock = existsSync(file) ? await openHandle(file) : null;
  if (!lock) return false;
  try {
    await promisify<string, void>(lock.exec.bind(lock) as never)('select count(*) from sqlite_master');
    return false;
  } catch (error) {
    return errorCode(error) === 'SQLITE_BUSY';
  } finally {
    await close(lock);
  }
}

function createPrivate(file: string): string {
  try {
    closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
  } catch {
    // Opening it as a database decides.
  }
  return file;
}

const openHandle = (file: string): Promise<sqlite3.Database | null> =>
  new Promise((resolve) => {
    const handle = new sqlite3.Database(file, (error) => resolve(error ? null : handle));
  });

const close = (handle: sqlite3.Database): Promise<void> => new Promise((resolve) => handle.close(() => resolve()));

function readPid(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch {
    return null;
  }
}
