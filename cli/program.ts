import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { programFolder } from '../server/contract/document.ts';
import { addBackup } from './commands/backup.ts';
import { addCompletion } from './commands/completion.ts';
import { addDemo } from './commands/demo.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExplain } from './commands/explain.ts';
import { addExport } from './commands/export.ts';
import { addImport } from './commands/import.ts';
import { addInvoice } from './commands/invoice.ts';
import { addKey } from './commands/key.ts';
import { addLedger } from './commands/ledger.ts';
import { addListen } from './commands/listen.ts';
import { addMigrate } from './commands/migrate.ts';
import { addOpenapi } from './commands/openapi.ts';
import { addPayout } from './commands/payout.ts';
import { addReport } from './commands/report.ts';
import { addRestore } from './commands/restore.ts';
import { addRisk } from './commands/risk.ts';
import { addSecrets } from './commands/secrets.ts';
import { addServe } from './commands/serve.ts';
import { addSettings } from './commands/settings.ts';
import { addStore } from './commands/store.ts';
import { addUser } from './commands/user.ts';
import { addWebhook } from './commands/webhook.ts';
import { addWorker } from './commands/worker.ts';
import { configureHelp } from './terminal/help.ts';
import { formatError } from './terminal/output.ts';
import { describeUsageError, unknownCommandArgs } from './terminal/usage-errors.ts';

/** In the order of the help page. */
const commandGroups: Record<string, readonly ((program: Command) => void)[]> = {
  'Run it:': [addServe, addWorker, addMigrate, addDemo],
  'Look at it:': [addReport, addExplain, addDoctor, addOpenapi, addListen],
  'People and settings:': [addUser, addKey, addSettings, addSecrets],
  'Money and messages:': [addLedger, addPayout, addRisk, addInvoice, addStore, addWebhook],
  'Data in and out:': [addImport, addExport, addBackup, addRestore],
  'Your shell:': [addCompletion],
};

const epilogue = `
The database: DATABASE_URL, or the file affiliate.sqlite in DATA_DIR (./data). Every command has --json, for scripts; affiliate <command>
--help has examples. Output is coloured on terminals only; NO_COLOR=1 turns colours off.

Examples
  affiliate demo
  affiliate user create --login ada --email ada@example.com --role administrator
  affiliate key create --user ada --scopes read,write,manage`;

const groupUsage = '<command> [options]';
const helpCommand = ['help [command]', 'show the help of a command'] as const;

export function createProgram(): Command {
  const program = configureHelp(new Command('affiliate'))
    .description("the operator's command line of the affiliate program API")
    .usage(groupUsage)
    .helpOption('-h, --help', 'show this')
    .version(packageVersion(), '-V, --version', 'print the version')
    .exitOverride()
    // `run` prints errors.
    .configureOutput({ outputError: () => {}, writeErr: () => {} })
    .addHelpText('after', epilogue);
  for (const [heading, commands] of Object.entries(commandGroups)) {
    program.commandsGroup(heading);
    for (const add of commands) add(program);
  }
  program.helpCommand(...helpCommand);
  for (const group of program.commands.filter(({ commands }) => commands.length > 0))
    group
      .usage(groupUsage)
      .helpCommand(...helpCommand)
      .addHelpText('after', `\naffiliate ${group.name()} <command> --help has examples.`);
  for (const command of leafCommands(program)) command.option('--json', 'print one JSON document, for scripts');
  return program;
}

const leafCommands = (command: Command): Command[] => (command.commands.length === 0 ? [command] : command.commands.flatMap(leafCommands));

function packageVersion(): string {
  const file = ['package.json', '../package.json'].map((name) => path.join(programFolder, name)).find((name) => existsSync(name));
  return file === undefined ? 'unknown' : (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Runs one command. Returns the exit code: 0, or 1 after one sentence on standard error. */
export async function run(args: readonly string[]): Promise<number> {
  const program = createProgram();
  try {
    if (args.every((word) => word === 'help')) program.outputHelp();
    else await program.parseAsync(unknownCommandArgs(args, program) ?? args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    process.stderr.write(`${error instanceof CommanderError ? describeUsageError(error, args, program) : formatError(error)}\n`);
    return 1;
  }
}
