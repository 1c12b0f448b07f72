import { statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { type Answer, answering } from './answer.ts';
import { withSession } from './session.ts';

const examples = `
Takes a consistent copy while the service runs. Keep the master key (master.key in DATA_DIR, or MASTER_KEY) elsewhere: a backup
without it holds secrets that nobody can read.

Example
  affiliate backup /var/backups/affiliate-$(date +%F).sqlite`;

export function addBackup(program: Command): void {
  program
    .command('backup')
    .argument('<file>', 'must not exist yet')
    .description('copy the database to a file')
    .addHelpText('after', examples)
    .action(answering(backup));
}

function backup(given: string): Promise<Answer> {
  const file = path.resolve(given);
  return withSession(async ({ database }) => {
    await database.backup(file);
    const bytes = statSync(file).size;
    return { json: { file, bytes, engine: database.engine }, text: `The database was copied to ${file} (${bytes} bytes).` };
  });
}
