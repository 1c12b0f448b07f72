import { help, optionsFrom, UsageError } from './bench/options.ts';
import { runBench } from './bench/run.ts';

try {
  const options = optionsFrom(process.argv.slice(2));
  if (options === 'help') console.log(help);
  else await runBench(options);
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n\n${help}` : error);
  process.exitCode = 1;
}
// Servers that a failure left behind end with the process.
process.exit();
