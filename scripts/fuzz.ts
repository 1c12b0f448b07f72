/** `npm run fuzz`: requests made from the contract's own schemas, valid and spoiled, as every kind of caller. */
import { once } from 'node:events';
import { lifecycles } from '../test/fuzz/lifecycles.ts';
import { type Tally, told } from '../test/fuzz/tally.ts';
import { theContract } from '../test/support/contract.ts';
import { stopPostgres } from '../test/support/postgres.ts';
import { tryOperation } from './fuzz/campaign.ts';
import { help, type Options, optionsFrom } from './fuzz/options.ts';
import { documentOf, type Line, reportOf } from './fuzz/report.ts';
import { runCommand } from './shared/usage.ts';

const showProgress = (text: string, { json }: Options): void => {
  if (process.stderr.isTTY && !json) process.stderr.write(`\r\u001b[K${text}`);
};

/** Told at once: a long run need not be waited for. */
async function tellFailures({ failures }: Tally, options: Options, engine: Line['engine']): Promise<void> {
  showProgress('', options);
  for (const failure of failures) console.error(`${told(failure, options, engine)}\n`);
  if (!options.holds) return;
  console.error('The service is left running for the curl line. Ctrl-C goes on.');
  await once(process, 'SIGINT');
}

async function run(options: Options): Promise<void> {
  const contract = await theContract();
  const lines: Line[] = [];
  const work = options.engines.flatMap((engine) => options.operations.map((operationId) => ({ engine, operationId })));
  for (const [at, { engine, operationId }] of work.entries()) {
    showProgress(`${at + 1}/${work.length} ${operationId} on ${engine}`, options);
    const tally = await tryOperation(contract, engine, operationId, options, (failed) => tellFailures(failed, options, engine));
    lines.push({ engine, ...tally });
  }
  showProgress('', options);
  console.log(options.json ? JSON.stringify(documentOf(lines, options.seed), null, 2) : reportOf(lines, options.seed));
  if (lines.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

async function readOptions(): Promise<Options | 'help'> {
  const { operations } = await theContract();
  return optionsFrom(process.argv.slice(2), [...operations.map(({ operationId }) => operationId), lifecycles]);
}

await runCommand(help, readOptions, run);
await stopPostgres();
// Whatever a failure left open ends with the process.
process.exit();
