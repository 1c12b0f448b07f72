import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { codeOf } from '../database-error.ts';

const run = promisify(execFile);

/** PostgreSQL's own format, for `pg_restore`. */
export async function dumpInto(url: string, file: string): Promise<void> {
  const address = new URL(url);
  // Everybody on the machine can read the arguments of a process, but not its environment.
  const password = address.password === '' ? {} : { PGPASSWORD: decodeURIComponent(address.password) };
  address.password = '';
  const options = ['--format=custom', '--no-unlogged-table-data', `--file=${file}`, `--dbname=${address.href}`];
  try {
    await run('pg_dump', options, { env: { ...process.env, ...password } });
  } catch (error) {
    throw new Error(sentenceFor(error), { cause: error });
  }
}

function sentenceFor(error: unknown): string {
  if (codeOf(error) === 'ENOENT')
    return 'A backup of PostgreSQL needs pg_dump, which is not on the PATH. Install the PostgreSQL client programs.';
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
  return `pg_dump could not make the backup: ${said}`;
}
