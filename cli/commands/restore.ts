import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { parseDatabaseUrl } from '../../db/database-url.ts';
import { type Configuration, createFolder, readConfiguration } from '../../server/configuration.ts';
import { describeInvoices, type RestoredInvoices, restoreInvoices } from '../backup/invoice-copies.ts';
import { checkRestored, giveToOwner, type RestoredCopy, replaceDatabase, withSqliteCopy } from '../backup/restored-copy.ts';
import { CommandError, type CommandResult, type OutputOptions, printResult, refuseUnreadable } from '../terminal/output.ts';
import { showElapsed } from '../terminal/progress.ts';

const examples = `
Stop the service and workers first. The backup is checked before it is used: it is brought up to date, and its ledger is recomputed. On SQLite it then
becomes the database; with --replace one that is there already gets another name, which is printed. The file belongs to the owner of its
folder, also if root restores it. On PostgreSQL, DATABASE_URL must name an empty database, and pg_restore must be on the PATH. The master key
is not part of a backup: put it back first. Invoices are restored from the folder beside the backup whose name ends with .invoices; the folder
that is there already gets another name, which is printed.

Sessions, links for passwords, confirmed passwords and known browsers are not restored: people sign in again. Keys, application passwords,
passwords, roles and disabled users are as they were at the backup, also those that were revoked or changed since. --revoke-keys revokes all
API keys and application passwords.

Examples
  affiliate restore /var/backups/affiliate-api/affiliate-20261116T030000Z.sqlite
  affiliate restore --replace /var/backups/affiliate-before-upgrade`;

export function addRestore(program: Command): void {
  program
    .command('restore')
    .argument('<file>', 'a copy that affiliate backup has created')
    .option('--replace', 'rename the database that is there already (SQLite)')
    .option('--revoke-keys', 'revoke all API keys and application passwords of the backup')
    .description('make a backup the database of this installation')
    .addHelpText('after', examples)
    .action(printResult(restore));
}

interface RestoreOptions extends OutputOptions {
  replace?: true;
  revokeKeys?: true;
}

async function restore(name: string, options: RestoreOptions): Promise<CommandResult> {
  const backup = path.resolve(name);
  refuseUnreadable(backup, 'Name a copy that affiliate backup has created.');
  const configuration = readConfiguration(process.env);
  const location = parseDatabaseUrl(configuration.databaseUrl);
  refuseOtherEngine(backup, location.engine);
  const work = (): Promise<Restored> =>
    location.engine === 'sqlite'
      ? restoreSqlite(backup, path.resolve(location.path), options, configuration)
      : restorePostgres(backup, location.url, options, configuration);
  const { former, migrations, keyProblem, files, lastEvent, revokedKeys } = await showElapsed('Restoring', options, work);
  const lines = [
    `${backup} is the database now. Its ledger is sound.`,
    ...(migrations > 0 ? [`It was brought up to date: migrations run: ${migrations}.`] : []),
    ...(former === null ? [] : [`The former database is ${former}. Restore it to go back, or delete it when you no longer need it.`]),
    ...(files.count > 0 ? [`Invoices restored: ${files.count}.`] : []),
    ...(files.lost.length > 0 ? [`Invoices whose file is not in the backup: ${describeInvoices(files.lost)}.`] : []),
    ...(files.former === null ? [] : [`The former invoices are in ${files.former}.`]),
    ...(keyProblem === null ? [] : [keyProblem]),
    'All sessions, password links and known browsers of the backup were ended. Passwords, roles and disabled users are as of the backup: look at affiliate user list.',
    revokedKeys === null
      ? 'API keys and application passwords are as of the backup, also those that were revoked since. Revoke them again, or restore with --revoke-keys.'
      : `API keys and application passwords that were revoked: ${revokedKeys}.`,
    `The newest event of its feed is ${lastEvent}: clients that follow the feed continue after that one, because later ids are given again.`,
  ];
  return {
    json: {
      file: backup,
      engine: location.engine,
      migrations,
      former,
      invoices: files,
      master_key_problem: keyProblem,
      last_event: lastEvent,
      revoked_keys: revokedKeys,
    },
    text: lines.join('\n'),
  };
}

/** How the file of a backup begins. */
const beginnings = { sqlite: 'SQLite format 3', postgres: 'PGDMP' } as const;
const engineNames = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

function refuseOtherEngine(backup: string, engine: 'sqlite' | 'postgres'): void {
  const other = engine === 'sqlite' ? 'postgres' : 'sqlite';
  const handle = openSync(backup, 'r');
  const beginning = Buffer.alloc(beginnings[other].length);
  readSync(handle, beginning);
  closeSync(handle);
  if (beginning.toString('latin1') !== beginnings[other]) return;
  throw new CommandError(
    `${backup} is a backup of a ${engineNames[other]} database, and DATABASE_URL names ${engineNames[engine]}. Restore it on ${engineNames[other]}; affiliate export and affiliate import move a program from one to the other.`,
  );
}

interface Restored extends RestoredCopy {
  former: string | null;
  files: RestoredInvoices;
}

async function restoreSqlite(
  backup: string,
  target: string,
  { replace, revokeKeys }: RestoreOptions,
  configuration: Configuration,
): Promise<Restored> {
  const isReplaced = existsSync(target);
  if (isReplaced && !replace)
    throw new CommandError(`There is a database at ${target} already. Add --replace: it is renamed, and the backup takes its place.`);
  createFolder(path.dirname(target));
  const release = isReplaced ? await lockDatabase(target) : async () => {};
  try {
    return await withSqliteCopy(backup, target, async (copy) => {
      const checked = await checkRestored(`sqlite:${copy}`, configuration, { endsAccess: true, revokesKeys: revokeKeys ?? false });
      const now = Date.now();
      const files = await restoreInvoices(backup, checked.invoices, configuration, now);
      return { ...checked, files, former: await replaceDatabase(copy, target, now) };
    });
  } finally {
    await release();
    giveToOwner(target);
  }
}

/** @throws CommandError while the service runs, or another process has the database open: it would go on with the renamed file. */
async function lockDatabase(target: string): Promise<() => Promise<void>> {
  const { acquireServeLock } = await import('../../db/engine/sqlite/serve-lock.ts');
  const lock = await acquireServeLock(target);
  if (!('release' in lock))
    throw new CommandError(`${lock.heldBy === null ? 'A process' : `Process ${lock.heldBy}`} serves ${target}. Stop the service first.`);
  const { acquireExclusiveUse } = await import('../../db/engine/sqlite/exclusive-use.ts');
  const endUse = await acquireExclusiveUse(target);
  if (endUse) return () => endUse().then(lock.release);
  await lock.release();
  throw new CommandError(`Another process has ${target} open, for example affiliate worker, or a command. Stop it first.`);
}

async function restorePostgres(
  backup: string,
  url: string,
  { revokeKeys }: RestoreOptions,
  configuration: Configuration,
): Promise<Restored> {
  const { dropRestored, hasTables, restoreFrom } = await import('../../db/engine/postgres/dump.ts');
  if (await hasTables(url)) throw new CommandError('The database has tables already. Create an empty one, and set DATABASE_URL to it.');
  await restoreFrom(backup, url);
  try {
    const checked = await checkRestored(url, configuration, { endsAccess: true, revokesKeys: revokeKeys ?? false });
    const files = await restoreInvoices(backup, checked.invoices, configuration, Date.now());
    return { ...checked, files, former: null };
  } catch (error) {
    await dropRestored(url);
    throw error;
  }
}
