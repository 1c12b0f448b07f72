import { existsSync, rmSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import type { Database } from '../../db/database.ts';
import { locate } from '../../db/database-url.ts';
import { masterKeyFile } from '../../server/auth/master-key.ts';
import { type Configuration, readConfiguration } from '../../server/configuration.ts';
import { withRawDatabase } from '../context.ts';
import { CommandError } from '../terminal/errors.ts';
import { formatCount } from '../terminal/format.ts';
import { type CommandResult, type OutputOptions, onInterrupt, printResult, resolveOutputFile } from '../terminal/output.ts';
import { showElapsed } from '../terminal/progress.ts';

const examples = `
Takes a consistent copy while the service runs: everything that was acknowledged before it began is in it. SQLite gives a database file,
PostgreSQL a file for pg_restore, which needs pg_dump of the server's version or a later one. An older database can be copied before it is
migrated. The master key is not part of it, so that a copy that gets lost gives no secret away: keep master.key of DATA_DIR, or the value of
MASTER_KEY, in another place. docs/guides/run-in-production.md tells how to restore.

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

function backup(given: string, options: OutputOptions): Promise<CommandResult> {
  const file = resolveOutputFile(given);
  refuseNothing(readConfiguration(process.env));
  return withRawDatabase(async (database, configuration) => {
    await showElapsed('Copying', options, () => copyTo(file, database));
    const bytes = statSync(file).size;
    const { sentence, ...key } = keyOf(configuration);
    return {
      json: { file, bytes, engine: database.engine, master_key: key },
      text: `The database was copied to ${file} (${formatCount(bytes)} bytes).\n${sentence}`,
    };
  });
}

/** Half a copy would look like a backup, so that whoever breaks off keeps none. What was there before is not ours. */
async function copyTo(file: string, database: Database): Promise<void> {
  const release = existsSync(file) ? () => {} : onInterrupt(() => remove(file));
  await database.backup(file).finally(release);
}

const remove = (file: string): void => {
  for (const name of [file, `${file}-journal`]) rmSync(name, { force: true });
};

/** Opening would make a new database, and a copy of nothing would look like a backup. */
function refuseNothing({ databaseUrl }: Configuration): void {
  const location = locate(databaseUrl);
  if (location.engine === 'sqlite' && !existsSync(location.path))
    throw new CommandError(`There is no database at ${location.path}, so there is nothing to back up. Set DATA_DIR or DATABASE_URL.`);
}

interface KeyNote {
  included: false;
  /** The file to keep a copy of; null where the operator gives the key. */
  file: string | null;
  sentence: string;
}

function keyOf({ masterKey, dataDir }: Configuration): KeyNote {
  const needed = 'The master key is not in it, and without it the payout details and signing secrets in it cannot be read.';
  if (masterKey !== null) return { included: false, file: null, sentence: `${needed} Keep the value of MASTER_KEY in another place.` };
  const file = masterKeyFile(dataDir);
  if (!existsSync(file)) return { included: false, file: null, sentence: `${needed} There is none at ${file} yet.` };
  return { included: false, file, sentence: `${needed} Keep a copy of ${file} in another place.` };
}
