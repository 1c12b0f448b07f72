import { setTimeout } from 'node:timers/promises';
import { codeOf } from '../database-error.ts';

const attempts = 200;

/** For this switch alone SQLite does not wait by itself while another process has the file, which may be switching too. */
export async function useWriteAheadLog(query: (sql: string) => Promise<unknown[]>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [answer] = await query('pragma journal_mode = wal');
      return requireWal(answer as { journal_mode: string } | undefined);
    } catch (error) {
      if (codeOf(error) !== 'SQLITE_BUSY' || attempt === attempts) throw error;
    }
    await setTimeout(Math.random() * 50);
  }
}

/** SQLite answers with the mode that it stayed in, where the file system cannot share memory between processes. */
function requireWal(answer: { journal_mode: string } | undefined): void {
  if (answer?.journal_mode !== 'wal') throw new Error('its file system allows no write-ahead log. Put the file on a local disk.');
}
