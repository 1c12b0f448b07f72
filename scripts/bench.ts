import { help, optionsFrom, runBench } from './bench/run.ts';
import { runCommand } from './shared/usage.ts';

// Also after Ctrl-C, servers end and data sets are removed.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await runCommand(help, () => optionsFrom(process.argv.slice(2)), runBench);
// Ends servers that a failed row has left running, once all output is in the pipe.
process.stdout.write('', () => process.exit());
