import type { Command } from 'commander';
import { readConfiguration } from '../../server/configuration.ts';
import type { OutputOptions } from '../terminal/output.ts';

const examples = `
When ready it prints one line: affiliate-api listening on <url>. With --json: { "url": … }.
While there is no administrator, a second line has a link to a page that creates one (with --json: "setup"). It works once; the next start
prints another one.
On SIGTERM, SIGINT or SIGHUP it finishes open requests, then exits with 0; with 1 if something is still open after 90 seconds.

Example
  DATA_DIR=/var/lib/affiliate TLS_CERT=cert.pem TLS_KEY=key.pem PORT=8443 affiliate serve`;

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('serve the API until stopped; brings the database up to date first')
    .addHelpText('after', examples)
    .action(async ({ json }: OutputOptions) => {
      const configuration = readConfiguration(process.env);
      const { runService } = await import('../../server/workers.ts');
      await (json ? runService(configuration, (urls) => process.stdout.write(`${JSON.stringify(urls)}\n`)) : runService(configuration));
    });
}
