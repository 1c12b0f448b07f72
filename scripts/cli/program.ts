import { Command, CommanderError } from 'commander';
import { addBackup } from './backup.ts';
import { addCompletion } from './completion.ts';
import { addDemo } from './demo.ts';
import { addDoctor } from './doctor.ts';
import { addExport } from './export.ts';
import { withHelpLook } from './help.ts';
import { addImport } from './import.ts';
import { addKey } from './key.ts';
import { addLedger } from './ledger.ts';
import { addListen } from './listen.ts';
import { addMigrate } from './migrate.ts';
import { misuse } from './misuse.ts';
import { addOpenapi } from './openapi.ts';
import { addPayout } from './payout.ts';
import { sentenceOf } from './refusal.ts';
import { addReport } from './report.ts';
import { addSecrets } from './secrets.ts';
import { addServe } from './serve.ts';
import { addSettings } from './settings.ts';
import { unknownCommandIn } from './unknown-words.ts';
import { addUser } from './user.ts';
import { versionOfPackage } from './version.ts';
import { addWebhook } from './webhook.ts';
import { addWorker } from './worker.ts';

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
