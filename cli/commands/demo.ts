import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Configuration, readConfiguration } from '../../server/configuration.ts';
import { withReceiver } from '../demo/contract-story.ts';
import { DemoFolder, type ServedCredentials } from '../demo/folder.ts';
import { type DemoReceiver, startReceiver } from '../demo/receiver.ts';
import { type OutputOptions, wholeNumber } from '../terminal/output.ts';

const help = `
A year of an invented shop in the folder demo of DATA_DIR (./data): affiliates, coupons, orders, clicks and applications. It is created once
and kept; --fresh replaces it. It is served on HOST and PORT in the environment local, so keys work over plain HTTP, and it is always a
SQLite file of its own, whatever DATABASE_URL says. It has the data of the contract's examples, so every example of the reference page can
be sent, and a receiver for webhooks on the port after PORT, or on any that is free. The credentials are printed, and written to credentials.json.

Example
  PORT=9090 affiliate demo --fresh`;

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('create a demo store to try things out, and serve it until stopped')
    .option('--fresh', 'replace the store: all changes in it are lost')
    .option('--orders <number>', 'how many orders a new store has', wholeNumber('--orders', 100, 1_000_000), 20_000)
    .addHelpText('after', help)
    .action(runDemo);
}

interface DemoOptions extends OutputOptions {
  fresh?: true;
  orders: number;
}

async function runDemo(options: DemoOptions): Promise<void> {
  const print = (text: string): void => void (options.json || process.stdout.write(text));
  const folder = new DemoFolder(readConfiguration(process.env).dataDir);
  const configuration = demoConfiguration(process.env, folder);
  // Before anything is created, moved or removed: another process may be serving this store.
  await requireFreePort(configuration);
  if (existsSync(folder.credentialsFile)) await requireUnserved(configuration);
  const receiver = await startReceiver(configuration.port === 0 ? 0 : configuration.port + 1);
  try {
    await folder.ensureStore({ ...options, print, receiverUrl: receiver.url });
    await serveDemo(configuration, folder, receiver, options);
  } finally {
    await receiver.stop();
  }
}

/** Within this time the running service sees settings that were stored beside it. */
const settingsSeenMs = 600;

async function serveDemo(configuration: Configuration, folder: DemoFolder, receiver: DemoReceiver, { json }: DemoOptions): Promise<void> {
  const [{ startService }, { waitForStopSignal }, { DemoShop, shopPath }, { SubscriptionShop }] = await Promise.all([
    import('../../server/serve.ts'),
    import('../../server/workers.ts'),
    import('../demo/shop.ts'),
    import('../demo/subscription-shop.ts'),
  ]);
  const shop = new DemoShop(receiver.received);
  const subscriptions = new SubscriptionShop();
  const service = await startService(configuration, {
    pages: [shop.routes(), subscriptions.routes()],
    extendSite: (site) => ({
      ...site,
      amendOpenapi: (document) => withReceiver(site.amendOpenapi?.(document) ?? document, receiver.url),
    }),
  });
  const credentials = folder.saveBaseUrl(`${service.url}/api/v2`);
  const shopUrl = `${service.url}${shopPath}`;
  await folder.saveAddresses(service.url, shopUrl);
  await sleep(settingsSeenMs);
  const access = { baseUrl: credentials.base_url, token: credentials.admin.token, certificate: configuration.tls?.cert };
  shop.open(access);
  subscriptions.open(access);
  const text = `affiliate-api listening on ${service.url}\n\n${formatWelcome(credentials, folder, receiver, shopUrl)}`;
  process.stdout.write(`${json ? JSON.stringify(credentials, null, 2) : text}\n`);
  await waitForStopSignal();
  await service.stop();
}

/** Takes only network, log and module variables from the environment: demo data must not get into a real database. */
function demoConfiguration(env: NodeJS.ProcessEnv, { path }: DemoFolder): Configuration {
  const { HOST, PORT, LOG_LEVEL = 'warn', TLS_CERT, TLS_KEY, TRUSTED_PROXIES, SITE_MODULE } = env;
  const own = { DATA_DIR: path, ENVIRONMENT: 'local' };
  return readConfiguration({ HOST, PORT, LOG_LEVEL, TLS_CERT, TLS_KEY, TRUSTED_PROXIES, SITE_MODULE, ...own });
}

async function requireFreePort(configuration: Configuration): Promise<void> {
  const [{ listen }, { default: Koa }] = await Promise.all([import('../../server/http/http-server.ts'), import('koa')]);
  const listening = await listen(new Koa().callback(), configuration);
  await listening.drain();
}

async function requireUnserved({ databaseUrl }: Configuration): Promise<void> {
  const { requireOnlyServer } = await import('../../server/serve.ts');
  const lock = await requireOnlyServer(databaseUrl);
  await lock?.release();
}

function formatWelcome(
  { base_url: base, admin, affiliate }: ServedCredentials,
  { credentialsFile, path }: DemoFolder,
  { url: receiver }: DemoReceiver,
  shopUrl: string,
): string {
  const call = (token: string, resource: string): string => `  curl -H 'Authorization: Bearer ${token}' '${base}${resource}'`;
  return [
    `Fjell Outdoor, an invented store, and a year of its affiliate program. It is stored in ${path}.`,
    '',
    `Base URL         ${base}`,
    `Admin token      ${admin.token}`,
    `Affiliate token  ${affiliate.token}`,
    `Console          ${new URL('/console', base).href}`,
    ...[admin, affiliate].map(({ login, password }) => `Sign in there    ${login} with the password ${password}`),
    `Reference page   ${new URL('/docs', base).href}`,
    `Shop             ${shopUrl}: follow a link, buy, and see the commission`,
    `Webhooks go to   ${receiver}, which lists them`,
    `All of these, and passwords for HTTP Basic, are in ${credentialsFile}.`,
    '',
    'Three calls to try: the program at a glance, what an affiliate has earned, and the orders behind it',
    call(admin.token, '/reports/summary?top=3'),
    call(affiliate.token, `/affiliates/${affiliate.user_id}/stats?interval=month`),
    call(affiliate.token, `/coupons/${affiliate.coupon_id}/orders?per_page=3`),
    '',
    'The program at a glance, in another terminal',
    `  DATA_DIR='${path}' npx affiliate report`,
    '',
    'Ctrl-C stops it. The next start serves the same data; --fresh starts over.',
  ].join('\n');
}
