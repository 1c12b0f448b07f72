/** `npm run fuzz`: requests generated from the contract's schemas, valid and mutated, as every kind of caller. */
import { once } from 'node:events';
import { describeFailure, type FuzzTally } from '../test/fuzz/fuzz-tally.ts';
import { lifecycles } from '../test/fuzz/lifecycles.ts';
import { theContract } from '../test/support/contract.ts';
import { stopPostgres } from '../test/support/postgres.ts';
import { formatReport, jsonReport, type TallyOfEngine } from './fuzz/report.ts';
import { tryOperation } from './fuzz/try-operation.ts';
import { checkNames, type EngineName, engineNames, flag, list, parseNumber, parseOptions, text } from './shared/options.ts';
import { runCommand, showProgress } from './shared/usage.ts';

interface Options {
  seed: number;
  runs: number;
  operations: readonly string[];
  engines: readonly EngineName[];
  json: boolean;
  holds: boolean;
}

const help = `npm run fuzz                          every operation on both engines, with a random seed
npm run fuzz -- --seed 7 --operation post_keys --engine sqlite

  --seed <n>          repeats a run: the same seed sends the same requests
  --runs <n>          valid and mutated requests each, for each operation: 300 by default
  --operation <id>    only this one; may be repeated. deleted_stays_gone creates, uses and deletes keys and webhooks
  --engine <name>     sqlite, postgres; both by default
  --hold              keeps the service running after a failure, so that its curl line can be sent
  --json              one JSON document on standard output, nothing else
  --help              this page
Exits with 1 when a response is wrong.`;

async function readOptions(): Promise<Options | 'help'> {
  const options = { seed: text, runs: text, operation: list, engine: list, hold: flag, json: flag, help: flag };
  const { values } = parseOptions({ options });
  if (values.help) return 'help';
  const { operations } = await theContract();
  const all = [...operations.map(({ operationId }) => operationId), lifecycles];
  return {
    seed: parseNumber('seed', values.seed, Math.floor(Math.random() * 1e9), { min: 0, isWhole: true }),
    runs: parseNumber('runs', values.runs, 300, { min: 1, isWhole: true }),
    operations: checkNames('operation', values.operation ?? all, all),
    engines: checkNames('engine', values.engine ?? engineNames, engineNames),
    json: values.json ?? false,
    holds: values.hold ?? false,
  };
}

/** Printed at once, because a long run takes an hour. */
async function printFailures({ failures }: FuzzTally, options: Options, engine: EngineName): Promise<void> {
  showProgress('');
  for (const failure of failures) console.error(`${describeFailure(failure, options, engine)}\n`);
  if (!options.holds) return;
  console.error('The service keeps running for the curl line. Press Ctrl-C to continue.');
  await once(process, 'SIGINT');
}

async function run(options: Options): Promise<void> {
  const contract = await theContract();
  const tallies: TallyOfEngine[] = [];
  const work = options.engines.flatMap((engine) => options.operations.map((operationId) => ({ engine, operationId })));
  for (const [index, { engine, operationId }] of work.entries()) {
    if (!options.json) showProgress(`${index + 1}/${work.length} ${operationId} on ${engine}`);
    const tally = await tryOperation(contract, engine, operationId, options, (failed) => printFailures(failed, options, engine));
    tallies.push({ engine, ...tally });
  }
  showProgress('');
  console.log(options.json ? JSON.stringify(jsonReport(tallies, options.seed), null, 2) : formatReport(tallies, options.seed));
  if (tallies.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

await runCommand(help, readOptions, run);
await stopPostgres();
// Ends what a failure left open.
process.exit();
