import { existsSync, rmSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { masterKeyFile } from '../../server/auth/master-key.ts';
import type { Configuration } from '../../server/configuration.ts';
import { requireDatabase, withRawDatabase } from '../context.ts';
import { formatCount } from '../terminal/format.ts';
import { type CommandResult, type OutputOptions, onInterrupt, printResult, resolveOutputFile } from '../terminal/output.ts';
import { showElapsed } from '../terminal/progress.ts';

const examples = `
Makes a consistent copy while the service runs: everything that was acknowledged before the start is in it. The copy of a SQLite database is
a database file; that of PostgreSQL is a file for pg_restore, and needs pg_dump of the server's version or later. A database that is not up
to date can be copied before it is migrated. The copy does not include the master key, so that a lost copy reveals no secret: keep
master.key of DATA_DIR, or the value of MASTER_KEY, in another place. docs/guides/run-in-production.md describes how to restore.

Example
  affiliate backup /var/backups/affiliate-$(date +%F).sqlite`;

export function addBackup(program: Command): void {
  program
    .command('backup')
    .argument('<file>', 'the copy, a file that does not exist yet')
    .description('copy the database to a file')
    .addHelpText('after', examples)
    .action(printResult(backup));
}

function backup(name: string, options: OutputOptions): Promise<CommandResult> {
  const file = resolveOutputFile(name);
  requireDatabase();
  return withRawDatabase(async (database, configuration) => {
    // An interrupted copy would look like a backup. A file that existed before is not removed.
    const release = existsSync(file) ? () => {} : onInterrupt(() => removeCopy(file));
    await showElapsed('Copying', options, () => database.backup(file).finally(release));
    const bytes = statSync(file).size;
    const { note, ...key } = describeMasterKey(configuration);
    return {
      json: { file, bytes, engine: database.engine, master_key: key },
      text: `The database was copied to ${file} (${formatCount(bytes)} bytes).\n${note}`,
    };
  });
}

const removeCopy = (file: string): void => {
  for (const name of [file, `${file}-journal`]) rmSync(name, { force: true });
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
