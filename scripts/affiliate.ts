#!/usr/bin/env node
/** `affiliate`, the operator's command line. */
import { run } from './cli/program.ts';

// `affiliate settings list | head` closes the pipe early, which is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// Not process.exit: what was written to a pipe may still be on its way.
process.exitCode = await run(process.argv.slice(2));
