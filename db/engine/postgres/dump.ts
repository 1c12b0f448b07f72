import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { errorCode } from '../database-error.ts';

const run = promisify(execFile);

/** Writes PostgreSQL's custom format, for `pg_restore`. */
export async function dumpTo(url: string, file: string): Promise<void> {
  const address = new URL(url);
  // The arguments of a process are visible to all users of the machine, its environment is not.
  const password = address.password === '' ? {} : { PGPASSWORD: decodeURIComponent(address.password) };
  address.password = '';
  const options = ['--format=custom', '--no-unlogged-table-data', `--file=${file}`, `--dbname=${address.href}`];
  try {
    await run('pg_dump', options, { env: { ...process.env, ...password } });
  } catch (error) {
    throw new Error(describeFailure(error), { cause: error });
  }
}

function describeFailure(error: unknown): string {
  if (errorCode(error) === 'ENOENT')
    return 'A backup of PostgreSQL needs pg_dump, which is not on the PATH. Install the PostgreSQL client programs.';
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
  return `pg_dump could not create the backup: ${output}`;
}
