/** `npm run fuzz`: requests generated from the contract's schemas, valid and mutated, as every kind of caller. */
import { formatTable } from '../cli/terminal/table.ts';
import { colorize } from '../cli/terminal/text.ts';
import type { Contract } from '../server/contract/contract.ts';
import { openFuzzFixture } from '../test/fuzz/fixture.ts';
import { fuzzOperation } from '../test/fuzz/fuzz-operation.ts';
import { count, describeFailure, type FuzzOptions, type FuzzTally } from '../test/fuzz/fuzz-tally.ts';
import { operationOf, theContract } from '../test/support/contract.ts';
import { dropPostgres, makePostgres, stopPostgres, temporaryFolder } from '../test/support/postgres.ts';
import { checkNames, type EngineName, engineNames, flag, list, parseNumber, parseOptions, text } from './shared/options.ts';
import { runCommand, showProgress } from './shared/usage.ts';

/** Fuzzes one operation in a fixture of its own, so that it repeats when it runs alone. Closing the fixture verifies the ledger. */
async function tryOperation(contract: Contract, engine: EngineName, operationId: string, options: FuzzOptions): Promise<FuzzTally> {
  const url = engine === 'postgres' ? await makePostgres() : `sqlite:${temporaryFolder('fuzz-')}/fuzz.db`;
  const fixture = await openFuzzFixture(url);
  const tally = await fuzzOperation(fixture, contract, operationOf(contract, operationId), options);
  await fixture.stop().catch((error: unknown) => {
    const faults = [error instanceof Error ? error.message : String(error)];
    tally.failures.push({ operationId, seed: options.seed, what: 'afterwards', caller: 'all callers', faults, sent: '' });
  });
  if (engine === 'postgres') await dropPostgres(url);
  return tally;
}

interface TallyOfEngine extends FuzzTally {
  readonly engine: EngineName;
}

const formatStatuses = ({ statuses }: FuzzTally): string =>
  [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, times]) => `${status}×${times}`)
    .join(' ');

/** How often each mutation was sent, highest first. */
function sumKinds(tallies: readonly FuzzTally[]): [kind: string, times: number][] {
  const all = new Map<string, number>();
  for (const { kinds } of tallies) for (const [kind, times] of kinds) count(all, kind, times);
  return [...all].toSorted(([, one], [, other]) => other - one);
}

const sum = (tallies: readonly FuzzTally[], of: (tally: FuzzTally) => number): number =>
  tallies.reduce((total, tally) => total + of(tally), 0);

function formatReport(tallies: readonly TallyOfEngine[], seed: number): string {
  const rows = tallies.map((tally) => [
    tally.engine,
    tally.operationId,
    String(tally.valid),
    String(tally.mutated),
    formatStatuses(tally),
    tally.failures.length === 0 ? '-' : String(tally.failures.length),
  ]);
  const failures = sum(tallies, (tally) => tally.failures.length);
  const requests = `${sum(tallies, ({ valid }) => valid)} valid and ${sum(tallies, ({ mutated }) => mutated)} mutated requests`;
  return [
    formatTable(['engine', 'operation', 'valid', 'mutated', 'statuses', 'failures'], rows),
    '',
    ...sumKinds(tallies).map(([kind, times]) => `${String(times).padStart(8)}  ${kind}`),
    '',
    colorize(failures > 0 ? 'red' : 'green', `${requests}, ${failures} ${failures === 1 ? 'failure' : 'failures'}, seed ${seed}`),
  ].join('\n');
}

interface Options {
  seed: number;
  runs: number;
  operations: readonly string[];
  engines: readonly EngineName[];
}

const help = `npm run fuzz                          every operation on both engines, with a random seed
npm run fuzz -- --seed 7 --operation post_keys --engine sqlite

  --seed <n>          repeats a run: the same seed sends the same requests
  --runs <n>          valid and mutated requests each, for each operation: 300 by default
  --operation <id>    only this one; may be repeated
  --engine <name>     sqlite, postgres; both by default
  --help              this page
Exits with 1 when a response is wrong.`;

async function readOptions(): Promise<Options | 'help'> {
  const options = { seed: text, runs: text, operation: list, engine: list, help: flag };
  const { values } = parseOptions({ options });
  if (values.help) return 'help';
  const { operations } = await theContract();
  const all = operations.map(({ operationId }) => operationId);
  return {
    seed: parseNumber('seed', values.seed, Math.floor(Math.random() * 1e9), { min: 0, isWhole: true }),
    runs: parseNumber('runs', values.runs, 300, { min: 1, isWhole: true }),
    operations: checkNames('operation', values.operation ?? all, all),
    engines: checkNames('engine', values.engine ?? engineNames, engineNames),
  };
}

async function run(options: Options): Promise<void> {
  const contract = await theContract();
  const tallies: TallyOfEngine[] = [];
  const work = options.engines.flatMap((engine) => options.operations.map((operationId) => ({ engine, operationId })));
  for (const [index, { engine, operationId }] of work.entries()) {
    showProgress(`${index + 1}/${work.length} ${operationId} on ${engine}`);
    const tally = await tryOperation(contract, engine, operationId, options);
    showProgress('');
    // Printed at once, because a long run takes an hour.
    for (const failure of tally.failures) console.error(`${describeFailure(failure, options, engine)}\n`);
    tallies.push({ engine, ...tally });
  }
  console.log(formatReport(tallies, options.seed));
  if (tallies.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

await runCommand(help, readOptions, run);
await stopPostgres();
// Ends what a failure left open.
process.exit();
