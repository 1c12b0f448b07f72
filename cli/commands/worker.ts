import type { Command } from 'commander';
import { readConfiguration } from '../../server/configuration.ts';
import { withContext } from '../context.ts';
import { type OutputOptions } from '../terminal/output.ts';

const examples = `
The service sends mails and webhooks itself. Workers beside it share the work, as many as you like; one that is killed loses nothing.
It needs the same DATABASE_URL, MASTER_KEY (or DATA_DIR), ENVIRONMENT and SMTP_URL as the service. What it cannot send because one of them
differs, it leaves to the others and says so in its log; with another MASTER_KEY than the database belongs to it does not start.
When ready it prints one line: affiliate-api worker is ready. With --json: { "ready": true }.
SIGTERM lets what is on its way end, then it exits with 0.

Example
  DATABASE_URL=postgres://db.example/affiliates MASTER_KEY_FILE=/run/secrets/key affiliate worker`;

export function addWorker(program: Command): void {
  program
    .command('worker')
    .description('send mails and webhooks until told to stop, beside the service')
    .addHelpText('after', examples)
    .action(async ({ json }: OutputOptions) => {
      // Opened once beforehand: a database that is not there, or not up to date, is told in the same words as by every other command.
      await withContext(async () => {});
      const [{ startOutboxWorker: startWorker }, { toldToStop }] = await Promise.all([
        import('../../server/jobs/worker.ts'),
        import('../../server/workers.ts'),
      ]);
      const worker = await startWorker(readConfiguration(process.env));
      // Before it says so: whoever reads that may stop it the next moment.
      const told = toldToStop();
      process.stdout.write(json ? `${JSON.stringify({ ready: true })}\n` : 'affiliate-api worker is ready\n');
      await told;
      await worker.stop();
    });
}
