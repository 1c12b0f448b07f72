import { setTimeout } from 'node:timers/promises';
import { errorCode } from '../database-error.ts';

const maxAttempts = 200;

/** Retries, because SQLite's busy timeout does not apply to this switch while another process uses the file. */
export async function enableWriteAheadLog(query: (sql: string) => Promise<unknown[]>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [row] = await query('pragma journal_mode = wal');
      return requireWal(row as { journal_mode: string } | undefined);
    } catch (error) {
      if (errorCode(error) !== 'SQLITE_BUSY' || attempt === maxAttempts) throw error;
    }
    await setTimeout(Math.random() * 50);
  }
}

/** SQLite returns the mode it stayed in where the file system cannot share memory between processes. */
function requireWal(row: { journal_mode: string } | undefined): void {
  if (row?.journal_mode !== 'wal') throw new Error('its file system allows no write-ahead log. Put the file on a local disk.');
}
