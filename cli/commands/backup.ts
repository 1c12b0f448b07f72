import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { parseDatabaseUrl } from '../../db/database-url.ts';
import { masterKeyFile } from '../../server/auth/master-key.ts';
import { type Configuration, readConfiguration } from '../../server/configuration.ts';
import {
  checkInvoiceCopies,
  copyInvoices,
  describeInvoices,
  invoiceCopies,
  refuseExistingCopies,
  removeInvoiceCopies,
} from '../backup/invoice-copies.ts';
import { checkRestored, type RestoredCopy, withSqliteCopy } from '../backup/restored-copy.ts';
import { requireDatabase, withRawDatabase } from '../context.ts';
import { formatCount } from '../terminal/format.ts';
import {
  CommandError,
  type CommandResult,
  formatError,
  type OutputOptions,
  onInterrupt,
  printResult,
  resolveOutputFile,
  wholeNumber,
} from '../terminal/output.ts';
import { showElapsed } from '../terminal/progress.ts';

const examples = `
Makes a consistent copy while the service runs: everything that was acknowledged before the start is in it. The copy of a SQLite database is
a database file; that of PostgreSQL is a file for pg_restore, and needs pg_dump of the server's version or later. A database that is not up
to date can be copied before it is migrated. The copy does not include the master key, so that a lost copy reveals no secret: keep
master.key of DATA_DIR, or the value of MASTER_KEY, in another place. affiliate restore makes a copy the database again.

Invoices of affiliates are files: they are copied to a folder beside the copy, whose name ends with .invoices. Keep both together.

With --folder the name of the copy is its time, and --keep deletes older copies in that folder. --verify restores the copy at once, beside it
or in a database that is created on the same server for the moment, and recomputes its ledger. If that fails, the command exits with 1, the
copy stays, and no older one is deleted.

Examples
  affiliate backup /var/backups/affiliate-$(date +%F).sqlite
  affiliate backup --folder /var/backups/affiliate-api --keep 14 --verify`;

export function addBackup(program: Command): void {
  program
    .command('backup')
    .argument('[file]', 'the copy, a file that does not exist yet')
    .option('--folder <folder>', 'write the copy there, named by its time')
    .option('--keep <count>', 'with --folder: delete older copies there, except this many', wholeNumber('--keep', 1, 10_000))
    .option('--verify', 'restore the copy and recompute its ledger')
    .description('copy the database to a file')
    .addHelpText('after', examples)
    .action(printResult(backup));
}

interface BackupOptions extends OutputOptions {
  folder?: string;
  keep?: number;
  verify?: true;
}

function backup(name: string | undefined, options: BackupOptions): Promise<CommandResult> {
  const file = resolveOutputFile(nameCopy(name, options));
  refuseExistingCopies(file);
  requireDatabase();
  return withRawDatabase(async (database, configuration) => {
    // An interrupted copy would look like a backup. A file that existed before is not removed.
    const release = existsSync(file) ? () => {} : onInterrupt(() => removeCopy(file));
    await showElapsed('Copying', options, () => database.backup(file)).finally(release);
    const releaseInvoices = onInterrupt(() => removeCopy(file));
    const invoices = await copyInvoices(file, configuration).finally(releaseInvoices);
    const bytes = statSync(file).size;
    const restored = options.verify ? await showElapsed('Restoring the copy', options, () => verifyCopy(file, configuration)) : null;
    const lost = restored ? await checkInvoiceCopies(file, restored.invoices) : [];
    const deleted = options.folder === undefined || options.keep === undefined ? [] : deleteOlderCopies(options.folder, options.keep);
    const { note, ...key } = describeMasterKey(configuration);
    const lines = [
      `The database was copied to ${file} (${formatCount(bytes)} bytes).`,
      ...(invoices.folder === null ? [] : [`Invoices were copied to ${invoices.folder} (${formatCount(invoices.count)} files).`]),
      ...(lost.length === 0 ? [] : [`Invoices that are not in the copy as they were handed in: ${describeInvoices(lost)}.`]),
      ...(options.verify ? ['The copy was restored for a check: its ledger is sound.'] : []),
      ...(deleted.length === 0 ? [] : [`Older copies were deleted: ${deleted.length}.`]),
      note,
    ];
    return {
      json: { file, bytes, engine: database.engine, invoices, master_key: key, verified: options.verify ?? false, deleted },
      text: lines.join('\n'),
    };
  });
}

/** The file of the argument, or one in the folder. */
function nameCopy(name: string | undefined, { folder, keep }: BackupOptions): string {
  if (folder === undefined && keep !== undefined) throw new CommandError('--keep deletes older copies in a folder: name it with --folder.');
  if ((name === undefined) === (folder === undefined)) throw new CommandError('Name the file of the copy, or a folder with --folder.');
  if (folder === undefined) return name ?? '';
  const { engine } = parseDatabaseUrl(readConfiguration(process.env).databaseUrl);
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return path.join(folder, `affiliate-${time}.${engine === 'sqlite' ? 'sqlite' : 'dump'}`);
}

const copyName = /^affiliate-\d{8}T\d{6}Z\.(sqlite|dump)$/;

function deleteOlderCopies(folder: string, keep: number): string[] {
  const copies = readdirSync(folder).filter((name) => copyName.test(name));
  const older = copies.toSorted().slice(0, -keep);
  for (const name of older) {
    rmSync(path.join(folder, name));
    removeInvoiceCopies(path.join(folder, name));
  }
  return older;
}

/** @throws CommandError if the copy cannot be restored, or has another ledger than it should. */
async function verifyCopy(file: string, configuration: Configuration): Promise<RestoredCopy> {
  const location = parseDatabaseUrl(configuration.databaseUrl);
  try {
    if (location.engine === 'sqlite') return await withSqliteCopy(file, file, (copy) => checkRestored(`sqlite:${copy}`, configuration));
    const { restoreFrom, withScratchDatabase } = await import('../../db/engine/postgres/dump.ts');
    return await withScratchDatabase(location.url, async (url) => {
      await restoreFrom(file, url);
      return checkRestored(url, configuration);
    });
  } catch (error) {
    throw new CommandError(`${file} was written, but it could not be verified; no older copy was deleted. ${formatError(error)}`);
  }
}

const removeCopy = (file: string): void => {
  for (const name of [file, `${file}-journal`, invoiceCopies(file)]) rmSync(name, { recursive: true, force: true });
};

/** `file` is null when there is none to keep. */
function describeMasterKey(configuration: Configuration) {
  const needed =
    'The master key is not in the copy, and without it the payout details and signing secrets in the copy cannot be decrypted.';
  if (configuration.masterKey !== null)
    return { included: false, file: null, note: `${needed} Keep the value of MASTER_KEY in another place.` };
  const file = masterKeyFile(configuration);
  if (!existsSync(file)) return { included: false, file: null, note: `${needed} There is none at ${file} yet.` };
  return { included: false, file, note: `${needed} Keep a copy of ${file} in another place.` };
}
