/** `npm run load`: steady load on the compiled service, then overload. */
import { formatReport, formatVerdicts, help, type LoadOptions, type LoadResult, optionsFrom, runLoad } from './load/run.ts';
import { build } from './shared/checkout.ts';
import { leaveServerCore } from './shared/machine.ts';
import { runCommand } from './shared/usage.ts';

async function load({ engines, minutes }: LoadOptions): Promise<void> {
  build();
  leaveServerCore();
  const results: LoadResult[] = [];
  for (const engine of engines) results.push(await runLoad(engine, minutes, (line) => console.error(line)));
  console.log(['', formatReport(results), '', ...formatVerdicts(results)].join('\n'));
  if (results.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

await runCommand(help, () => optionsFrom(process.argv.slice(2)), load);
// Also ends servers that a failure left running.
process.exit();
