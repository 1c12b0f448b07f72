import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { systemRandom } from '../../domain/random.ts';
import { issueToken } from '../../domain/users/one-time-token.ts';
import { hashPassword, setPassword } from '../../domain/users/password.ts';
import type { User } from '../../domain/users/user.ts';
import { Machine } from '../cli/machine.ts';
import { clicks } from '../support/clicks.ts';
import type { ContractClient } from '../support/contract-client.ts';
import type { Engine } from '../support/engines.ts';
import { pdf } from '../support/invoices.ts';
import { bankDetails, coupon, newOrderId, orders, payoutDetails } from '../support/program.ts';
import { masterKey, startService, TestClock, type TestService } from '../support/service.ts';
import { subscribed } from '../support/webhooks.ts';

/** Part of every text that is to be erased. */
export const personal = 'zqperson';
/** Part of every text that stays, as the guide says. */
export const staying = 'zqstays';

export const login = `${personal}-login`;
export const password = `correct horse ${personal}`;

export interface MarkedProgram {
  service: TestService;
  machine: Machine;
  admin: ContractClient;
  person: User;
  couponId: number;
  orderId: number;
}

/** A program with a person who has filled in everything that a person can, whose balance is zero and whose payouts are paid. */
export async function openMarkedProgram(engine: Engine): Promise<MarkedProgram> {
  const service = await startService(engine, {
    clock: new TestClock(Date.now()),
    settings: {
      'store.currency': 'EUR',
      'service.url': 'https://service.example',
      'addons.store': true,
      'addons.management': true,
      'webhooks.ports': [443],
    },
  });
  const machine = new Machine({ DATABASE_URL: service.databaseUrl, MASTER_KEY: masterKey, DATA_DIR: service.dataDir });
  mkdirSync(service.dataDir, { recursive: true });
  const boss = await service.user('boss', 'administrator');
  const admin = await service.clientOf(boss, ['read', 'write', 'manage']);
  await subscribed(admin, await startEcho(engine));
  const other = await service.user('zqother', 'affiliate');
  const program = { service, machine, admin };
  const { person, couponId } = await join(program);
  const handedOver = await coupon(service, 'ZQOTHER', { userId: other.id });
  const orderId = newOrderId();
  const at = new Date(service.clock.now()).toISOString();
  await clicks(service, [
    {
      coupon: couponId,
      at,
      visitor: 'v1',
      campaign: `${staying}-campaign`,
      referrer: `https://${personal}-site.example/post`,
      landingPage: `/tents?from=${personal}`,
    },
  ]);
  await orders(service, [{ id: orderId, coupon: couponId, at, total: 120, visitor: 'v1' }]);
  await bePaid(program, person, couponId);
  for (const amount of [5, -5]) {
    const json = { coupon_id: couponId, amount, note: `${personal} note ${amount}` };
    await admin.post('/adjustments', { json, headers: { 'Idempotency-Key': `${personal}${amount}` } });
  }
  await useCredentials(program, person);
  for (const owner of [person.login, other.login])
    await importLines(machine, [{ kind: 'coupon', id: handedOver, code: 'ZQOTHER', user: owner }]);
  await service.work();
  return { ...program, person: await getPerson(service), couponId, orderId };
}

type Program = Pick<MarkedProgram, 'service' | 'machine' | 'admin'>;

const getPerson = async ({ storage }: TestService): Promise<User> => {
  const person = await storage.read(({ users }) => users.byLoginOrEmail(login));
  if (!person) throw new Error('There is no such person.');
  return person;
};

async function importLines(machine: Machine, lines: readonly Record<string, unknown>[]): Promise<void> {
  const file = path.join(machine.folder, 'lines.ndjson');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { errors } = await machine.json<{ errors: unknown[] }>('import', file);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
}

const application = (couponCode: string, email: string) => ({
  kind: 'registration',
  login,
  email,
  display_name: `${personal} name`,
  coupon_code: couponCode,
  promote: `${personal} promote`,
  referrer: `${personal} referrer`,
  website: `https://${personal}.example`,
  type: `${personal} type`,
  custom_fields: { [`${personal} question`]: `${personal} answer` },
});

/** Applies, is accepted, gets another address, and applies twice more: once declined, once undecided. */
async function join({ service, machine, admin }: Program): Promise<{ person: User; couponId: number }> {
  await importLines(machine, [application('ZQSTAYS10', `${personal}-old@person.example`)]);
  const decide = async (status: string): Promise<{ coupon_id: number }> => {
    const { body } = await admin.get<{ id: number }[]>('/registrations?status=pending');
    const json = { status, message: `${personal} message`, send_email: true };
    return (await admin.post(`/registrations/${body[0]?.id}/status`, { json })).body;
  };
  const { coupon_id: couponId } = await decide('accepted');
  const email = `${personal}-new@person.example`;
  await importLines(machine, [
    {
      kind: 'user',
      login,
      email,
      display_name: `${personal} name`,
      profile: { phone: `${personal} phone` },
      groups: [`${personal} group`],
      custom_fields: { [`${personal} field`]: { nested: [`${personal} value`] } },
    },
    application(`${personal} declined`, email),
  ]);
  await decide('declined');
  await importLines(machine, [application(`${personal} asked`, email)]);
  return { person: await getPerson(service), couponId };
}

async function bePaid({ service, machine, admin }: Program, person: User, couponId: number): Promise<void> {
  const details = bankDetails(`${personal} holder`);
  await payoutDetails(service, { userId: person.id, method: `${personal} label`, methodType: 'banktransfer', details });
  const client = await service.clientOf(person, ['read', 'write']);
  writeFileSync(path.join(machine.folder, 'invoice.pdf'), pdf(staying));
  await machine.text('invoice', 'add', '--user', login, '--coupon', String(couponId), path.join(machine.folder, 'invoice.pdf'));
  await client.post('/payouts', { json: { coupon_id: couponId }, headers: { 'Idempotency-Key': `${personal} key` } });
  await admin.post('/payouts', { json: { coupon_id: couponId }, headers: { 'Idempotency-Key': 'of the admin' } });
  await machine.text('payout', 'file', '--format', 'csv', '--out', path.join(machine.folder, 'payouts.csv'));
  await machine.text('payout', 'batch', 'paid', '1');
}

async function useCredentials({ service, machine }: Program, person: User): Promise<void> {
  const hash = await hashPassword(password, systemRandom);
  await service.storage.write((transaction) => setPassword(transaction, person.id, hash));
  await service.session(login, password);
  await machine.text('key', 'create', '--user', login, '--scopes', 'read', '--description', `${personal} key`);
  await machine.text('user', 'app-password', login, '--name', `${personal} kept`);
  await machine.text('user', 'app-password', login, '--name', `${personal} revoked`);
  const list = await machine.json<{ id: number; name: string }[]>('user', 'app-passwords', login);
  const revoked = list.find(({ name }) => name.endsWith('revoked'));
  await machine.text('user', 'revoke-app-password', login, String(revoked?.id));
  await machine.text('user', 'disable', login);
  await machine.text('user', 'enable', login);
  await service.session(login, password);
  const { now } = { now: service.clock.now() };
  await service.storage.write(async (transaction) => {
    const data = { email: person.email.toUpperCase(), displayName: `${personal} name` };
    // To an address that the person had before.
    const to = { name: person.displayName, address: `${personal}-earlier@person.example` };
    const from = { name: 'Store', address: 'store@shop.example' };
    await transaction.mails.insert({ from, to, subject: 'Hello', text: 'Hello', html: 'Hello', createdAt: now });
    await issueToken(transaction, { purpose: 'confirm-application', data, lifetimeMs: 86_400_000 }, now, systemRandom);
  });
}

/** A receiver that fails, and repeats what it got. */
async function startEcho(engine: Engine): Promise<string> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    response.writeHead(500).end(Buffer.concat(parts));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  engine.keep(server, () => new Promise((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const columnsOf: Record<Engine['name'], string> = {
  sqlite: `select m.name as "table", p.name as "column" from sqlite_master m join pragma_table_info(m.name) p
    where m.type = 'table' and m.name not like 'sqlite_%'`,
  postgres: `select table_name as "table", column_name as "column" from information_schema.columns where table_schema = 'public'`,
};

/** Every column of every table with a value that contains the text, ignoring case, and in how many rows. */
export async function findInDatabase(engine: Engine, url: string, text: string): Promise<Record<string, number>> {
  const observer = await engine.observe(url);
  const found: Record<string, number> = {};
  for (const { table, column } of await observer.query<{ table: string; column: string }>(columnsOf[engine.name])) {
    const sql = `select count(*) as n from "${table}" where lower(cast("${column}" as text)) like '%${text.toLowerCase()}%'`;
    const [row] = await observer.query<{ n: number }>(sql);
    if (Number(row?.n) > 0) found[`${table}.${column}`] = Number(row?.n);
  }
  await observer.close();
  return found;
}

/** Every file in the folder, and the files of an SQLite database, that contain the text. */
export function findInFiles(folder: string, url: string, text: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const base = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null;
  const ofDatabase = base === null ? [] : readdirSync(path.dirname(base)).map((name) => path.join(path.dirname(base), name));
  const own = ofDatabase.filter((file) => base !== null && file.startsWith(base));
  return [...files, ...own].filter((file) => readFileSync(file).toString('latin1').toLowerCase().includes(text.toLowerCase()));
}
