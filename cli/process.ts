import { run } from './program.ts';
import { formatError } from './terminal/output.ts';

/** Runs the command line of this process. */
export async function runProcess(): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // `affiliate settings list | head` closes the pipe early, which is no failure of ours.
      if (error.code === 'EPIPE') return;
      if (stream === process.stdout) process.stderr.write(`${formatError(error)}\n`);
      process.exit(1);
    });
  // Not process.exit: what was written to a pipe may still be on its way.
  process.exitCode = await run(process.argv.slice(2));
}
