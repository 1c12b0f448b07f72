/** `npm run load`: steady load on the compiled service, then overload. */
import { formatReport, formatVerdicts, help, type LoadOptions, type LoadResult, optionsFrom, runLoad } from './load/run.ts';
import { build } from './shared/checkout.ts';
import { leaveServerCore } from './shared/machine.ts';
import { runCommand } from './shared/usage.ts';

async function load(options: LoadOptions): Promise<void> {
  if (options.builds) build();
  leaveServerCore();
  const results: LoadResult[] = [];
  for (const engine of options.engines) results.push(await runLoad(engine, options, (line) => console.error(line)));
  if (options.json) console.log(JSON.stringify(results, null, 2));
  else console.log(['', formatReport(results), '', ...formatVerdicts(results)].join('\n'));
  if (results.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

await runCommand(help, () => optionsFrom(process.argv.slice(2)), load);
// Also ends servers that a failure left running.
process.exit();
