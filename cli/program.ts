import { Command, CommanderError } from 'commander';
import { addBackup } from './commands/backup.ts';
import { addCompletion } from './commands/completion.ts';
import { addDemo } from './commands/demo.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExport } from './commands/export.ts';
import { addImport } from './commands/import.ts';
import { addKey } from './commands/key.ts';
import { addLedger } from './commands/ledger.ts';
import { addListen } from './commands/listen.ts';
import { addMigrate } from './commands/migrate.ts';
import { addOpenapi } from './commands/openapi.ts';
import { addPayout } from './commands/payout.ts';
import { addReport } from './commands/report.ts';
import { addSecrets } from './commands/secrets.ts';
import { addServe } from './commands/serve.ts';
import { addSettings } from './commands/settings.ts';
import { addUser } from './commands/user.ts';
import { addWebhook } from './commands/webhook.ts';
import { addWorker } from './commands/worker.ts';
import { withHelpLook } from './terminal/help.ts';
import { sentenceOf } from './terminal/refusal.ts';
import { unknownCommandIn } from './terminal/unknown-words.ts';
import { misuse } from './terminal/usage-errors.ts';
import { versionOfPackage } from './version.ts';

type Add = (program: Command) => void;

/** As help lists them. */
const commandGroups: Record<string, readonly Add[]> = {
  'Run it:': [addServe, addWorker, addMigrate, addDemo],
  'Look at it:': [addReport, addDoctor, addOpenapi, addListen],
  'People and settings:': [addUser, addKey, addSettings, addSecrets],
  'Money and messages:': [addLedger, addPayout, addWebhook],
  'Data in and out:': [addImport, addExport, addBackup],
  'Your shell:': [addCompletion],
};

const epilogue = `
Which database: DATABASE_URL, or the file affiliate.sqlite in DATA_DIR (./data). Every command takes --json, for scripts; affiliate
<command> --help has examples. Colours are for terminals; NO_COLOR=1 turns them off.

Examples
  affiliate demo
  affiliate user create --login ada --email ada@example.com --role administrator
  affiliate key create --user ada --scopes read,write,manage`;

export function createProgram(): Command {
  const program = withHelpLook(new Command('affiliate'))
    .description("the operator's command line of the affiliate program API")
    .usage('<command> [options]')
    .helpOption('-h, --help', 'show this')
    .version(versionOfPackage(), '-V, --version', 'print the version')
    .exitOverride()
    // What went wrong is said once, in `run`.
    .configureOutput({ outputError: () => {}, writeErr: () => {} })
    .addHelpText('after', epilogue);
  for (const [heading, commands] of Object.entries(commandGroups)) {
    program.commandsGroup(heading);
    for (const add of commands) add(program);
  }
  program.helpCommand('help [command]', helpOfHelp);
  for (const group of program.commands.filter(({ commands }) => commands.length > 0)) asGroup(group);
  for (const command of leavesOf(program)) command.option('--json', 'print one JSON document, for scripts');
  return program;
}

const helpOfHelp = 'show the help of a command';

const asGroup = (group: Command): Command =>
  group
    .usage('<command> [options]')
    .helpCommand('help [command]', helpOfHelp)
    .addHelpText('after', `\naffiliate ${group.name()} <command> --help has examples.`);

const leavesOf = (command: Command): Command[] => (command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf));

/** Runs one command and gives the exit code: 0, or 1 after one sentence on standard error. */
export async function run(given: readonly string[]): Promise<number> {
  const program = createProgram();
  try {
    if (given.every((word) => word === 'help')) program.outputHelp();
    else await program.parseAsync(unknownCommandIn(given, program) ?? given, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    process.stderr.write(`${error instanceof CommanderError ? misuse(error, given, program) : sentenceOf(error)}\n`);
    return 1;
  }
}
