import type { Command } from 'commander';
import { type Configuration, readConfiguration } from '../../server/configuration.ts';
import { type DemoFolder, openDemoFolder } from '../demo/folder.ts';
import { welcome } from '../demo/welcome.ts';
import { CommandError } from '../terminal/errors.ts';
import { type OutputOptions } from '../terminal/output.ts';

const help = `
A year of a shop, in the folder demo of DATA_DIR (./data): affiliates, coupons, orders, clicks and applications, all of them invented. It is
made once and kept; --fresh starts over. It is served on HOST and PORT in the environment local, so keys work over plain HTTP, and it
always is a SQLite file of its own, whatever DATABASE_URL says. What is needed to call it is printed, and written to credentials.json.

Example
  PORT=9090 affiliate demo --fresh`;

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('create a demo store to try things out, and serve it until told to stop')
    .option('--fresh', 'start over: everything done in it is lost')
    .option('--orders <number>', 'how many orders a new store gets', '20000')
    .addHelpText('after', help)
    .action(runDemo);
}

interface DemoOptions extends OutputOptions {
  fresh?: true;
  orders: string;
}

async function runDemo(options: DemoOptions): Promise<void> {
  const orders = orderCount(options.orders);
  const tell = (text: string): void => void (options.json || process.stdout.write(text));
  const folder = openDemoFolder(readConfiguration(process.env).dataDir);
  const configuration = demoConfiguration(process.env, folder);
  // Told before anything is made or removed: on a taken port there may be this very store, being served.
  await refuseTakenPort(configuration);
  await folder.ensureStore({ fresh: options.fresh === true, orders, tell, ...(options.json && { json: options.json }) });
  const { startService } = await import('../../server/serve.ts');
  const service = await startService(configuration);
  const credentials = folder.keepBaseUrl(`${service.url}/api/v2`);
  if (options.json) process.stdout.write(`${JSON.stringify(credentials, null, 2)}\n`);
  else tell(`affiliate-api listening on ${service.url}\n\n${welcome(credentials, folder)}\n`);
  await toldToStop();
  await service.stop();
}

function orderCount(given: string): number {
  const count = /^\d+$/.test(given) ? Number(given) : 0;
  if (count >= 100 && count <= 1_000_000) return count;
  throw new CommandError(`--orders is "${given}". It must be a whole number from 100 to 1000000.`);
}

/** Where it listens and what it logs is up to whoever starts it. The rest is the demo's own: no demo data in a real database. */
function demoConfiguration(env: NodeJS.ProcessEnv, { path }: DemoFolder): Configuration {
  const { HOST, PORT, LOG_LEVEL = 'warn', TLS_CERT, TLS_KEY, TRUSTED_PROXIES, SITE_MODULE } = env;
  const own = { DATA_DIR: path, ENVIRONMENT: 'local' };
  return readConfiguration({ HOST, PORT, LOG_LEVEL, TLS_CERT, TLS_KEY, TRUSTED_PROXIES, SITE_MODULE, ...own });
}

async function refuseTakenPort(configuration: Configuration): Promise<void> {
  const [{ listen }, { default: Koa }] = await Promise.all([import('../../server/http/http-server.ts'), import('koa')]);
  const listening = await listen(new Koa().callback(), configuration);
  await listening.drain();
}

const toldToStop = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
