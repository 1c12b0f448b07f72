import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import pg from 'pg';
import { errorCode } from '../database-error.ts';

const run = promisify(execFile);

/** Writes PostgreSQL's custom format, for `pg_restore`. */
export const dumpTo = (url: string, file: string): Promise<void> =>
  runClient('pg_dump', url, ['--format=custom', '--no-unlogged-table-data', `--file=${file}`], 'could not create the backup');

/** All of it or nothing: it fails where the database has a table of the same name already. */
export const restoreFrom = (file: string, url: string): Promise<void> =>
  runClient('pg_restore', url, ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction', file], 'could not restore it');

const withClient = async <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
};

const tables = "select oid::regclass as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'";
/** Those of an extension belong to it. */
const routines = `
  select oid::regprocedure as name from pg_proc where pronamespace = 'public'::regnamespace
  and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`;

export const hasTables = (url: string): Promise<boolean> => withClient(url, async (client) => (await client.query(tables)).rows.length > 0);

/** Drops all tables and functions, with what depends on them: only for a database that was empty before. */
export const dropRestored = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    for (const [kind, query] of Object.entries({ table: tables, routine: routines })) {
      const { rows } = await client.query<{ name: string }>(query);
      if (rows.length > 0) await client.query(`drop ${kind} ${rows.map(({ name }) => name).join(', ')} cascade`);
    }
  });

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

/** Creates an empty database on the same server, and drops it after `work`. */
export async function withScratchDatabase<Result>(url: string, work: (scratchUrl: string) => Promise<Result>): Promise<Result> {
  const scratch = new URL(url);
  scratch.pathname = `/${scratch.pathname.slice(1)}_check_${randomBytes(4).toString('hex')}`;
  const client = new pg.Client({ connectionString: url });
  const name = client.escapeIdentifier(decodeURIComponent(scratch.pathname.slice(1)));
  await client.connect();
  try {
    await client.query(`create database ${name} template template0`);
    return await work(scratch.href).finally(() => client.query(`drop database ${name}`));
  } catch (error) {
    if (errorCode(error) !== '42501') throw error;
    throw new Error('The user of DATABASE_URL may not create a database to restore the backup in. Run: alter role <user> createdb', {
      cause: error,
    });
  } finally {
    await client.end();
  }
}
