import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { type PostgresServer, startPostgresServer } from '../../test/support/postgres-server.ts';
import type { Checkout } from '../shared/checkout.ts';
import { onAllCores } from '../shared/machine.ts';
import type { EngineName } from '../shared/options.ts';
import { temporaryFolder } from '../shared/processes.ts';
import type { Tokens } from './requests.ts';
import { runAffiliate } from './targets.ts';

export type DatasetName = 'small' | 'large';

/** Coupon 1 holds half of the orders. Coupon n belongs to the affiliate user<n>. */
export const sizes = {
  small: { orders: 1000, clicks: 1000, coupons: 100, payable: 4000 },
  large: { orders: 100_000, clicks: 50_000, coupons: 500, payable: 0 },
} as const satisfies Record<DatasetName, unknown>;

/** Ids of the coupons that have a balance and no payout begin here. */
export const firstPayable = 10_001;

/** Three years in the past, so that a data set does not depend on the day on which it is made. */
export const firstMoment = Date.UTC(2023, 0, 1);
const lastMoment = Date.UTC(2026, 0, 1);

export interface Dataset {
  engine: EngineName;
  /** As in DATABASE_URL. */
  url: string;
  /** The version of the service that has made it, and that is started on it. */
  checkout: Checkout;
  tokens: Tokens;
  /** The connection of a WooCommerce shop, until `connectStripe` replaces it. */
  shop: { id: string; secret: string };
}

const upTo = (count: number, first = 1): number[] => Array.from({ length: count }, (_, index) => first + index);

/** The same in every run, but without a pattern that matters. */
const scatter = (n: number): number => (n * 7919) % 99_991;

const statusOf = (n: number): string => (['cancelled', 'refunded', 'processing', 'processing'] as const)[scatter(n) % 20] ?? 'completed';

export const orderLine = (id: number, couponId: number, moment: number, status = 'completed'): object => ({
  kind: 'order',
  order_id: id,
  coupon_id: couponId,
  date: new Date(moment).toISOString(),
  status,
  total: (1000 + (scatter(id) % 20_000)) / 100,
  discount: 1,
  shipping: 4.9,
});

/** What `affiliate import` reads. It makes a data set slower than SQL would, but knows no table, and checks what it takes. */
function* linesOf(name: DatasetName): Generator<object> {
  const { orders, clicks, coupons, payable } = sizes[name];
  const momentOf = (n: number, of: number): number => firstMoment + Math.floor(((lastMoment - firstMoment) * n) / (of + 1));
  const couponOf = (n: number): number => (n % 2 === 0 ? 1 : 2 + (scatter(n) % (coupons - 1)));
  for (const n of upTo(coupons)) yield { kind: 'user', login: `user${n}`, email: `user${n}@example.com`, display_name: `User ${n}` };
  for (const n of upTo(coupons)) yield { kind: 'coupon', id: n, code: `CODE${n}`, user: `user${n}` };
  for (const id of upTo(payable, firstPayable)) yield { kind: 'coupon', id, code: `PAY${id}`, user: `user${1 + (id % coupons)}` };
  for (const n of upTo(coupons))
    yield { kind: 'payout_details', user: `user${n}`, method: 'PayPal', method_type: 'paypal', details: { email: 'paid@example.com' } };
  for (const n of upTo(clicks))
    yield { kind: 'click', coupon_id: couponOf(n), date: new Date(momentOf(n, clicks)).toISOString(), visitor: `visitor ${n >> 1}` };
  for (const n of upTo(orders)) yield orderLine(n, couponOf(n), momentOf(n, orders), statusOf(n));
  for (const id of upTo(payable, firstPayable)) yield orderLine(1_000_000 + id, id, firstMoment);
}

export function writeLines(lines: Iterable<object>): string {
  const file = path.join(temporaryFolder(), 'lines.ndjson');
  writeFileSync(file, [...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

/** Makes a data set with the commands of the version that will serve it. */
export async function createDataset(engine: EngineName, name: DatasetName, checkout: Checkout): Promise<Dataset> {
  const url = engine === 'sqlite' ? `sqlite:${path.join(temporaryFolder(), 'bench.sqlite')}` : await createPostgresDatabase();
  const affiliate = async <Document>(...args: string[]): Promise<Document> =>
    JSON.parse((await runAffiliate({ checkout, url }, [...args, '--json'])).out) as Document;
  await affiliate('user', 'create', '--login', 'boss', '--email', 'boss@example.com', '--role', 'administrator');
  // Else clicks of 2023 are rejected. Commits before this setting import them anyway.
  await affiliate('settings', 'set', 'privacy.click_days', '0').catch(() => undefined);
  await affiliate('import', writeLines(linesOf(name)));
  for (const limit of ['authenticated', 'anonymous']) await affiliate('settings', 'set', `limits.${limit}`, '1000000');
  await affiliate('settings', 'set', 'addons.store', 'true');
  await affiliate('settings', 'set', 'service.url', '"https://bench.example"');
  const createKey = (login: string): Promise<{ token: string }> =>
    affiliate('key', 'create', '--user', login, '--scopes', 'read,write,manage');
  const tokens = { admin: (await createKey('boss')).token, affiliate: (await createKey('user1')).token };
  const shop = await affiliate<Dataset['shop']>('store', 'connect', 'woocommerce');
  // Else the service would seal all of it in the background, while it is measured.
  await affiliate('ledger', 'head');
  return { engine, url, checkout, tokens, shop };
}

/** A program has one connection, so that of WooCommerce ends. */
export async function connectStripe(dataset: Dataset): Promise<void> {
  const secret = 'whsec_of_the_bench';
  await runAffiliate(dataset, ['store', 'disconnect', dataset.shop.id]);
  const { out } = await runAffiliate(dataset, ['store', 'connect', 'stripe', '--secret-stdin', '--json'], `${secret}\n`);
  const { id } = JSON.parse(out) as { id: string };
  dataset.shop = { id, secret };
}

// Commits wait for the disk, as by default. Only the memory is more.
const settings = { shared_buffers: '512MB', max_connections: '200', unix_socket_directories: '', dynamic_shared_memory_type: 'mmap' };

let postgres: PostgresServer | undefined;
let databases = 0;

async function createPostgresDatabase(): Promise<string> {
  postgres ??= await onAllCores(() => startPostgresServer(temporaryFolder(), settings));
  const name = `bench_${++databases}`;
  const client = new Client(postgres.urlOf('postgres'));
  await client.connect();
  await client.query(`create database ${name}`).finally(() => client.end());
  return postgres.urlOf(name);
}

/** The process id of the database server, whose time counts too. Null on SQLite, where the service is the database. */
export const databasePid = ({ engine }: Dataset): number | null => (engine === 'postgres' ? (postgres?.pid ?? null) : null);

export const stopPostgres = async (): Promise<void> => postgres?.stop();
