import type { Command } from 'commander';
import type { OutputOptions } from './answer.ts';
import { withDatabase } from './session.ts';

const examples = `
When ready it prints one line: affiliate-api listening on <url>. With --json: { "url": … }.
SIGTERM lets open requests end, then it exits with 0.

Example
  DATA_DIR=/var/lib/affiliate TLS_CERT=cert.pem TLS_KEY=key.pem PORT=8443 affiliate serve`;

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve the API until told to stop; brings the database up to date first')
    .addHelpText('after', examples)
    .action(async ({ json }: OutputOptions) => {
      // Opened once beforehand: a database that cannot be is told in the same words as by every other command.
      const configuration = await withDatabase(async (_database, configuration) => configuration);
      if (json) lineAsDocument();
      const { runService } = await import('../../server/workers.ts');
      // One of several WORKERS has a channel to the first process, which would keep it alive.
      await runService(configuration).finally(() => process.disconnect?.());
    });
}

/** The service says where it listens by itself, in one plain line that scripts rely on; here that line becomes the one document. */
function lineAsDocument(): void {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (chunk: string | Uint8Array): boolean => {
    const [, url] = /^affiliate-api listening on (.*)\n$/.exec(String(chunk)) ?? [];
    return write(url === undefined ? chunk : `${JSON.stringify({ url })}\n`);
  };
}
