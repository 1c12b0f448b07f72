/** `npm run mock`: serves the contract's examples, for frontend work without the service. */
import { createServer } from 'node:http';
import { bundleFile } from '../server/contract/document.ts';
import { createMock, type Mock } from './mock/app.ts';
import { listen, readPort } from './mock/listen.ts';
import { flag, parseOptions } from './shared/options.ts';
import { runCommand, runScript } from './shared/usage.ts';

const help = `npm run mock

Serves every operation of the contract from its examples, and validates requests. Any credentials are accepted.

  PORT=4010 HOST=127.0.0.1   environment variables: where it listens; PORT=0 for any free port
  -- --help                  this text

A request chooses another response by a header: Prefer: code=404, or Prefer: example=<name>. GET / lists all of them.
Pages of every origin may call it, whatever the setting cors.origins of your service says.`;

function welcome({ contract }: Mock, url: string): string {
  const base = `${url}${contract.apiRoot}`;
  return [
    `mock of ${contract.document.info.title} ${contract.document.info.version} listening on ${base}`,
    '',
    'Any credentials are accepted; without any, all but public operations answer 401. Try:',
    `  curl -i -H 'Authorization: Bearer any' ${base}/coupons/301`,
    `  curl -i -H 'Authorization: Bearer any' -H 'Prefer: code=409, example=in_progress' -d coupon_id=301 ${base}/payouts`,
    `  curl -s ${url}/     every operation, and the examples that Prefer can name`,
  ].join('\n');
}

const readOptions = (): 'help' | 'serve' => (parseOptions({ options: { help: flag } }).values.help ? 'help' : 'serve');

async function serve(): Promise<void> {
  const host = process.env['HOST'] || '127.0.0.1';
  const port = readPort(process.env['PORT'] || '4010');
  const mock = await createMock(bundleFile);
  const server = createServer(mock.app.callback());
  const address = await listen(server, host, port);
  console.log(welcome(mock, `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      server.close(() => process.exit(0));
      server.closeAllConnections();
    });
  }
}

await runCommand(help, readOptions, () => runScript(serve));
