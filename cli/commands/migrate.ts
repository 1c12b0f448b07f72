import type { Command } from 'commander';
import { withRawDatabase } from '../context.ts';
import { type CommandResult, printResult } from '../terminal/output.ts';

const examples = `
Running it again changes nothing. The service runs pending migrations itself when it starts.

Example
  DATABASE_URL=postgres://affiliate@db/affiliate affiliate migrate`;

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date, one line for each migration')
    .addHelpText('after', examples)
    .action(printResult(migrate));
}

const migrate = (): Promise<CommandResult> =>
  withRawDatabase(async (database) => {
    const applied = await database.migrate();
    return {
      json: { engine: database.engine, applied },
      text: [...applied.map((name) => `migrated ${name}`), 'The database is current.'].join('\n'),
    };
  });
