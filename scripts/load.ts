import { spawnSync } from 'node:child_process';
import { leaveServerCore } from './bench/machine.ts';
import { help, type Options, optionsFrom } from './load/options.ts';
import { reportOf, verdictsOf } from './load/report.ts';
import { type Result, runLoad } from './load/run.ts';
import { runCommand } from './shared/usage.ts';

/** What is loaded is what `npm start` runs. */
function build(): void {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { stdio: ['ignore', 2, 'inherit'] });
  if (status !== 0) throw new Error('The service does not compile. With --no-build the last one that did is loaded.');
}

async function load(options: Options): Promise<void> {
  if (options.builds) build();
  leaveServerCore();
  const results: Result[] = [];
  for (const engine of options.engines) results.push(await runLoad(engine, options, (sentence) => console.error(sentence)));
  if (options.json) console.log(JSON.stringify(results, null, 2));
  else console.log(['', reportOf(results), '', ...verdictsOf(results)].join('\n'));
  if (results.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

await runCommand(help, () => optionsFrom(process.argv.slice(2)), load);
// Servers that a failure left behind end with the process.
process.exit();
