import { Command, CommanderError } from 'commander';
import { addBackup } from './backup.ts';
import { addDemo } from './demo.ts';
import { addDoctor } from './doctor.ts';
import { addExport } from './export.ts';
import { addImport } from './import.ts';
import { addKey } from './key.ts';
import { addLedger } from './ledger.ts';
import { addListen } from './listen.ts';
import { addMigrate } from './migrate.ts';
import { addOpenapi } from './openapi.ts';
import { addPayout } from './payout.ts';
import { Refusal, sentenceOf } from './refusal.ts';
import { addServe } from './serve.ts';
import { addSettings } from './settings.ts';
import { addUser } from './user.ts';
import { addWebhook } from './webhook.ts';
import { addWorker } from './worker.ts';

const commandGroups = [
  addServe,
  addWorker,
  addMigrate,
  addUser,
  addKey,
  addSettings,
  addOpenapi,
  addBackup,
  addDoctor,
  addLedger,
  addPayout,
  addWebhook,
  addListen,
  addImport,
  addExport,
  addDemo,
];

const epilogue = `
Which database: DATABASE_URL, or the file affiliate.sqlite in DATA_DIR (./data). Every command takes --json.

Example: a first administrator and a key
  affiliate user create --login ada --email ada@example.com --role administrator
  affiliate key create --user ada --scopes read,write,manage`;

function createProgram(): Command {
  const program = new Command('affiliate')
    .description("The operator's command line of the affiliate program API.")
    .helpOption('-h, --help', 'show this')
    .exitOverride()
    // What went wrong is said once, in `run`.
    .configureOutput({ outputError: () => {}, writeErr: () => {} })
    .addHelpText('after', epilogue);
  for (const add of commandGroups) add(program);
  for (const command of leavesOf(program)) command.option('--json', 'print one JSON document, for scripts');
  return program;
}

const leavesOf = (command: Command): Command[] => (command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf));

/** Runs one command and gives the exit code: 0, or 1 after one sentence on standard error. */
export async function run(given: readonly string[]): Promise<number> {
  const program = createProgram();
  try {
    if (given.length === 0) program.outputHelp();
    else await program.parseAsync(given, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    process.stderr.write(`${sentenceOf(isHelpCall(error) ? halfACommand(given) : error)}\n`);
    return 1;
  }
}

/** Commander answers half a command (`affiliate key`) with the whole help on standard error. */
const isHelpCall = (error: unknown): boolean => error instanceof CommanderError && error.code === 'commander.help';

const halfACommand = (given: readonly string[]): Refusal =>
  given[0] === 'help'
    ? new Refusal(`There is no command "${given.slice(1).join(' ')}". See affiliate --help.`)
    : new Refusal(`That is half a command. See affiliate ${given.join(' ')} --help.`);
