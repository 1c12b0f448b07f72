import type { Command } from 'commander';
import { readConfiguration } from '../../server/configuration.ts';
import { withContext } from '../context.ts';
import type { OutputOptions } from '../terminal/output.ts';

const examples = `
The service sends mails and webhooks itself. Any number of workers can share that work; a worker that is killed loses nothing.
A worker needs the same DATABASE_URL, MASTER_KEY (or DATA_DIR), ENVIRONMENT and SMTP_URL as the service. Jobs that it cannot send because
one of them differs are left to other processes, with a line in its log; it does not start with a MASTER_KEY other than the database's.
When ready it prints one line: affiliate-api worker is ready. With --json: { "ready": true }.
On SIGTERM it finishes the jobs in progress, then exits with 0.

Example
  DATABASE_URL=postgres://db.example/affiliates MASTER_KEY_FILE=/run/secrets/key affiliate worker`;

export function addWorker(program: Command): void {
  program
    .command('worker')
    .description('send mails and webhooks until stopped, beside the service')
    .addHelpText('after', examples)
    .action(async ({ json }: OutputOptions) => {
      // Opened once beforehand, so that a missing or outdated database is reported as by every other command.
      await withContext(async () => {});
      const [{ startOutboxWorker: startWorker }, { waitForStopSignal }] = await Promise.all([
        import('../../server/jobs/worker.ts'),
        import('../../server/workers.ts'),
      ]);
      const worker = await startWorker(readConfiguration(process.env));
      // Before the line is printed: its reader may stop the process at once.
      const stopped = waitForStopSignal();
      process.stdout.write(json ? `${JSON.stringify({ ready: true })}\n` : 'affiliate-api worker is ready\n');
      await stopped;
      if (!(await worker.stop())) process.exit(1);
    });
}
