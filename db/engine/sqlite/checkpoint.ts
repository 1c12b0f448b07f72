import sqlite3 from 'sqlite3';

/**
 * Writes the log of a database that no process uses into its file, so that the file alone is the database: a process that was killed leaves
 * its last transactions in the log. A damaged database stays as it is.
 */
export const writeLogToFile = (file: string): Promise<void> =>
  new Promise((resolve) => {
    const handle = new sqlite3.Database(file, sqlite3.OPEN_READWRITE, (openError) => {
      if (openError) return resolve();
      handle.exec('pragma wal_checkpoint(truncate)', () => handle.close(() => resolve()));
    });
  });
