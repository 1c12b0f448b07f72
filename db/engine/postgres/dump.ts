import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { errorCode } from '../database-error.ts';

const run = promisify(execFile);

/** Writes PostgreSQL's custom format, for `pg_restore`. */
export const dumpTo = (url: string, file: string): Promise<void> =>
  runClient('pg_dump', url, ['--format=custom', '--no-unlogged-table-data', `--file=${file}`], 'could not create the backup');

/** All of it or nothing: it fails where the database has a table of the same name already. */
export const restoreFrom = (file: string, url: string): Promise<void> =>
  runClient('pg_restore', url, ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction', file], 'could not restore it');

async function runClient(program: 'pg_dump' | 'pg_restore', url: string, options: readonly string[], failure: string): Promise<void> {
  const address = new URL(url);
  // The arguments of a process are visible to all users of the machine, its environment is not.
  const password = address.password === '' ? {} : { PGPASSWORD: decodeURIComponent(address.password) };
  address.password = '';
  try {
    await run(program, [`--dbname=${address.href}`, ...options], { env: { ...process.env, ...password } });
  } catch (error) {
    if (errorCode(error) === 'ENOENT')
      throw new Error(`Backups of PostgreSQL need ${program}, which is not on the PATH. Install the PostgreSQL client programs.`, {
        cause: error,
      });
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new Error(`${program} ${failure}: ${output}`, { cause: error });
  }
}
