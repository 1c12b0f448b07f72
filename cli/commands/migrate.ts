import type { Command } from 'commander';
import { withDatabase } from '../session.ts';
import { type Answer, answering, type OutputOptions, progressOf } from '../terminal/output.ts';

const examples = `
Running it again changes nothing. The service does the same by itself when it starts.

Example
  DATABASE_URL=postgres://affiliate@db/affiliate affiliate migrate`;

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date, one line for each migration')
    .addHelpText('after', examples)
    .action(answering(migrate));
}

function migrate(options: OutputOptions): Promise<Answer> {
  const progress = progressOf(options);
  return withDatabase(async (database) => {
    const applied: string[] = [];
    await database.migrate((name) => {
      applied.push(name);
      progress(`migrated ${name}`);
    });
    return { json: { engine: database.engine, applied }, text: 'The database is current.' };
  });
}
