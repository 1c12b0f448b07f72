import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { createRecords } from '../../scripts/build/screenshot-records.ts';
import { listBlocks } from '../guides/pages.ts';
import { theContract } from '../support/contract.ts';
import { contractClient } from '../support/contract-client.ts';
import { exampleCalls, type ServedDocument } from './example-calls.ts';
import { type CommandOutcome, expectCommandError, Machine, waitForExit } from './machine.ts';
import { waitForOutput } from './running-service.ts';

interface Access {
  user_id: number;
  token: string;
  login: string;
  app_password: string;
}

interface Credentials {
  base_url: string;
  admin: Access;
  affiliate: Access & { coupon_id: number };
}

interface Running {
  said(): string;
  baseUrl: string;
  stop(): Promise<CommandOutcome>;
}

const small = ['--orders', '300'];

/** Starts the demo and waits for its last line. */
async function demo(machine: Machine, ...args: string[]): Promise<Running> {
  const child = machine.start(['demo', ...small, ...args], { PORT: '0' });
  const { said, ended } = await waitForOutput(child, (text) => text.includes('--fresh starts over.'));
  const baseUrl = /^Base URL +(\S+)$/m.exec(said())?.[1] ?? '';
  const stop = (): Promise<CommandOutcome> => {
    child.kill('SIGINT');
    return ended;
  };
  return { said, baseUrl, stop };
}

const credentialsOf = (machine: Machine): Credentials =>
  JSON.parse(readFileSync(path.join(machine.dataDir, 'demo/credentials.json'), 'utf8')) as Credentials;

const bearer = ({ token }: Access): string => `Bearer ${token}`;
const basic = ({ login, app_password }: Access): string => `Basic ${Buffer.from(`${login}:${app_password}`).toString('base64')}`;

async function call<Body>(url: string, Authorization: string): Promise<Body> {
  const answer = await fetch(url, { headers: { Authorization } });
  expect(answer.status, url).to.equal(200);
  return (await answer.json()) as Body;
}

describe('affiliate demo', () => {
  const machine = new Machine({ DATABASE_URL: 'sqlite:/nowhere/real.sqlite', MASTER_KEY: 'the master key of a real installation' });
  let running: Running;
  let first: Credentials;

  before(async () => {
    running = await demo(machine);
    first = credentialsOf(machine);
  });

  it('prints its progress, its address, the tokens and calls to try', () => {
    expect(running.said()).to.match(
      /^Creating \d+ affiliates with their coupons … done in \d+\.\d s\nCreating 300 orders, 600 clicks, and a payday every week … done in /,
    );
    expect(running.said()).to.match(/^affiliate-api listening on http:\/\/127\.0\.0\.1:\d+$/m);
    expect(running.said()).to.include(first.admin.token).and.include(first.affiliate.token);
    expect(running.said().match(/^ {2}curl -H 'Authorization: Bearer svc_[0-9a-f]{40}' 'http.*'$/gm)).to.have.length(3);
  });

  it('writes the same to a file that only its owner can read', () => {
    expect(first.base_url).to.equal(running.baseUrl);
    expect(Object.keys(first)).to.deep.equal(['base_url', 'admin', 'affiliate']);
    expect(first.admin).to.have.all.keys('user_id', 'token', 'login', 'app_password', 'password');
    expect(first.affiliate).to.have.all.keys('user_id', 'coupon_id', 'token', 'login', 'app_password', 'password');
    expect(statSync(path.join(machine.dataDir, 'demo/credentials.json')).mode & 0o777).to.equal(0o600);
  });

  it('accepts token and password of the administrator, over plain HTTP', async () => {
    const { base_url: base, admin } = first;
    for (const authorization of [bearer(admin), basic(admin)])
      expect(await call(`${base}/me`, authorization)).to.deep.include({ is_admin: true, currency: 'EUR', timezone: 'Europe/Berlin' });
    const report = await call<{ totals: Record<string, number> }>(`${base}/reports/summary`, bearer(admin));
    expect(report.totals['orders_count']).to.be.greaterThan(200);
    expect(report.totals['pending_order_commission']).to.be.greaterThan(0);
  });

  it('accepts token and password of the affiliate, who has a coupon with orders', async () => {
    const { base_url: base, affiliate } = first;
    for (const authorization of [bearer(affiliate), basic(affiliate)])
      expect(await call(`${base}/me`, authorization)).to.deep.include({ is_admin: false, is_affiliate: true, access_level: 'affiliate' });
    const orders = await call<unknown[]>(`${base}/coupons/${affiliate.coupon_id}/orders`, bearer(affiliate));
    expect(orders).to.have.length.greaterThan(5);
  });

  it('answers every call that it prints', async () => {
    const calls = [...running.said().matchAll(/^ {2}curl -H 'Authorization: (.*?)' '(.*)'$/gm)];
    expect(calls).to.have.length(3);
    for (const [, authorization = '', url = ''] of calls) await call(url, authorization);
  });

  it('answers the three calls of docs/guides/write-a-client.md', async () => {
    const block = listBlocks('docs/guides/write-a-client.md').find(({ under }) => under === 'Three calls');
    const targets = [...(block?.source ?? '').matchAll(/http:\/\/127\.0\.0\.1:8080\/api\/v2([^"\s]+)/g)];
    expect(targets).to.have.length(3);
    for (const [, target = ''] of targets) await call(running.baseUrl + target, bearer(first.admin));
  });

  it('serves the same store with the same tokens when it is started again', async () => {
    expect((await running.stop()).code).to.equal(0);
    const again = await demo(machine);
    expect(again.said()).not.to.include('Creating');
    const { base_url, ...same } = credentialsOf(machine);
    expect(same).to.deep.equal({ admin: first.admin, affiliate: first.affiliate });
    expect(base_url).to.equal(again.baseUrl);
    await call(`${base_url}/me`, bearer(first.admin));
    running = again;
  });

  it('answers every operation of its document, called with its own examples, with a documented 2xx', async () => {
    const document = await call<ServedDocument>(`${running.baseUrl}/openapi`, bearer(first.admin));
    const client = contractClient(await theContract(), new URL(running.baseUrl).origin, { Authorization: bearer(first.admin) });
    const calls = exampleCalls(document);
    expect(calls).to.have.length.above(40);
    for (const { method, path: target, body, documented } of calls) {
      const { status } = await client.call(method, target, body === undefined ? {} : { json: body });
      expect(documented, `${method} ${target}`).to.include(String(status));
    }
  });

  it('receives the webhooks of its examples, also after its ports have changed, and lists them', async () => {
    const url = /^Webhooks go to +(\S+), which lists them$/m.exec(running.said())?.[1] ?? '';
    const received = (await (await fetch(url)).json()) as { event: string }[];
    expect(received.map(({ event }) => event)).to.include('ping');
  });

  const shop = (): string => `${new URL(running.baseUrl).origin}/demo-shop`;
  const buy = async (form: Record<string, string>, cookie = ''): Promise<Response> =>
    fetch(`${shop()}/orders`, { method: 'POST', headers: { Cookie: cookie }, body: new URLSearchParams(form) });

  it('has a shop whose forms are accepted from browsers, with or without Origin and Sec-Fetch-Site, and from no other page', async () => {
    const { origin } = new URL(shop());
    for (const [page, form] of [
      [shop(), `${shop()}/orders/1/refund`],
      [`${shop()}/subscriptions`, `${shop()}/subscriptions/in_x/refund`],
    ] as const) {
      const { headers } = await fetch(page);
      // What a browser sends with a form, by the policy of the page.
      const Origin = headers.get('Referrer-Policy') === 'no-referrer' ? 'null' : origin;
      const submit = async (sent: Record<string, string>): Promise<number> => (await fetch(form, { method: 'POST', headers: sent })).status;
      for (const own of [{ Origin }, { Origin, 'Sec-Fetch-Site': 'same-origin' }, { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }])
        expect(await submit(own), page).to.equal(404);
      for (const foreign of [{ Origin: 'https://other.example' }, { Origin: 'null' }, { Origin, 'Sec-Fetch-Site': 'same-site' }])
        expect(await submit(foreign), page).to.equal(403);
    }
  });

  it('has a shop that sends an order with a coupon, and shows its commission, event and webhook', async () => {
    expect(running.said()).to.include(`Shop             ${shop()}: `);
    const page = await (await buy({ product: 'tent', coupon: 'trail10' })).text();
    const [id = ''] = /\d+(?=: Tent for two, €224\.10, processing)/.exec(page) ?? [];
    expect(page).to.include('€22.41, pending, credited by the coupon').and.include(`Order ${id} was referred by TRAIL10.`);
    expect(page).to.include('referral.created');
    const after = async (step: string): Promise<string> => (await fetch(`${shop()}/orders/${id}/${step}`, { method: 'POST' })).text();
    expect(await after('complete'))
      .to.include(`${id}: Tent for two, €224.10, completed`)
      .and.include('POST /store/orders: updated');
    expect(await after('refund')).to.include('€0.00, reversed');
  });

  it('has a shop that earns commission by a referral link, which leads to it, also without a coupon', async () => {
    const link = `${new URL(running.baseUrl).origin}/r/TRAIL10?campaign=newsletter`;
    const page = new URL((await fetch(link, { redirect: 'manual' })).headers.get('location') ?? '');
    expect(page.origin + page.pathname).to.equal(shop());
    const { ref: coupon, aff_visitor: visitor, campaign } = Object.fromEntries(page.searchParams);
    expect([coupon, campaign]).to.deep.equal(['TRAIL10', 'newsletter']);
    // The cookie that /affiliate.js sets.
    const cookie = `affiliate=${encodeURIComponent(JSON.stringify({ coupon, visitor, campaign }))}`;
    const bought = await (await buy({ product: 'boots', coupon: '' }, cookie)).text();
    expect(bought).to.include('€15.99, pending, credited by the link');
    expect(await (await buy({ product: 'bottle', coupon: '' })).text()).to.include('ignored. The order names no coupon');
  });

  it('has a shop that says what is wrong, on its page', async () => {
    const refused = await buy({ product: 'boots', coupon: '<b>' });
    expect([refused.status, await refused.text()].join()).to.match(
      /^400,[^]*role="alert">The shop has no coupon &lt;b&gt;\. Try TRAIL10\./,
    );
    expect((await buy({ product: 'car' })).status).to.equal(400);
    expect((await fetch(`${shop()}/orders/1/refund`, { method: 'POST' })).status).to.equal(404);
    const elsewhere = { method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site' }, body: new URLSearchParams({ product: 'tent' }) };
    expect((await fetch(`${shop()}/orders`, elsewhere)).status).to.equal(403);
  });

  it('creates another store with --fresh', async () => {
    await running.stop();
    running = await demo(machine, '--fresh');
    expect(running.said()).to.include('Creating');
    expect(credentialsOf(machine).admin.token).not.to.equal(first.admin.token);
    expect(readdirSync(machine.dataDir)).to.deep.equal(['demo']);
  });

  it('has payout files, deliveries of the shop and a webhook that failed once, after the records of the screenshots are created', async () => {
    const { base_url: baseUrl, admin } = credentialsOf(machine);
    const read = <Body>(target: string): Promise<Body> => call(baseUrl + target, bearer(admin));
    await createRecords({ baseUrl, token: admin.token, certificate: undefined });
    const files = await read<{ format: string; status: string }[]>('/payout-batches');
    expect(files.map(({ format, status }) => `${format} ${status}`)).to.deep.equal(['csv open', 'paypal paid']);
    const [connection] = await read<[{ id: string }]>('/store/connections');
    const sent = await read<{ outcome: string }[]>(`/store/connections/${connection.id}/deliveries`);
    expect(sent.map(({ outcome }) => outcome)).to.deep.equal(['updated', 'ignored', 'created', 'created']);
    const [webhook] = await read<[{ id: number; name: string; failures: number }]>('/webhooks');
    expect(webhook).to.include({ name: 'Warehouse', failures: 0 });
    const deliveries = await read<{ event: string; attempts: { code: number }[] }[]>(`/webhooks/${webhook.id}/deliveries`);
    expect(deliveries.map(({ event, attempts: [attempt] }) => `${event} ${attempt?.code}`)).to.deep.equal([
      'ping 204',
      'referral.created 204',
      'referral.created 503',
    ]);
  });

  it('has a subscription that shows the first payment, a renewal, a refund and the limit, sent as signed events of Stripe', async () => {
    const page = `${shop()}/subscriptions`;
    const press = async (button: string): Promise<string> => (await fetch(`${page}/${button}`, { method: 'POST' })).text();
    expect(await (await fetch(page)).text()).to.include('<button>Subscribe</button>');
    const first = await press('months');
    expect(first).to.include('checkout.session.completed: ignored, invoice.paid: created').and.include('<dd>€2.00, ');
    expect(first).to.include('This is payment 1 of a subscription').and.include('<button>Next month</button>');
    const [invoice = ''] = /in_\w+_1(?=\/refund)/.exec(first) ?? [];
    expect(await press('months')).to.include('This is payment 2 of a subscription');
    expect(await press(`${invoice}/refund`))
      .to.include('refunded €11.90')
      .and.include('charge.refunded: updated')
      .and.include('<dd>€1.00, ');
    expect(await press(`${invoice}/refund`))
      .to.include('refunded €23.80')
      .and.include('<dd>€0.00, reversed');
    await press('months');
    const fourth = await press('months');
    expect(fourth).to.match(/<dt>Commission<\/dt><dd>€0\.00, [^]*?This is payment 4 of a subscription[^<]*3 payments/);
    expect((await fetch(`${page}/in_x/refund`, { method: 'POST' })).status).to.equal(404);
    const elsewhere = { method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site' } };
    expect((await fetch(`${page}/months`, elsewhere)).status).to.equal(403);
  });

  it('does not move or replace a store that another process serves', async () => {
    const before = credentialsOf(machine);
    for (const args of [['demo'], ['demo', '--fresh']])
      expectCommandError(
        await machine.run(args, { PORT: '0' }),
        /^Process \d+ serves the database \S+ already\. On SQLite one process serves: /,
      );
    expect(credentialsOf(machine)).to.deep.equal(before);
    await running.stop();
    const folder = path.join(machine.dataDir, 'demo');
    const MASTER_KEY = readFileSync(path.join(folder, 'master.key'), 'utf8').trim();
    const verified = await machine.run(['ledger', 'verify'], { DATABASE_URL: `sqlite:${folder}/affiliate.sqlite`, MASTER_KEY });
    expect(verified.out).to.match(/^The ledger is sound/);
  });

  it('reports a taken port in one sentence, before it creates or removes anything', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const before = credentialsOf(machine);
    const outcome = await machine.run(['demo', '--fresh'], { PORT: String(port) });
    taken.close();
    expectCommandError(outcome, `PORT ${port} is in use on 127.0.0.1. Set PORT to another one, or to 0 for any that is free.`);
    expect(credentialsOf(machine)).to.deep.equal(before);
  });

  it('does not remove a folder that is not a demo store, and leaves no incomplete one', async () => {
    const other = new Machine();
    const folder = path.join(other.dataDir, 'demo');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'precious'), '');
    const outcome = await other.run(['demo', '--fresh'], { PORT: '0' });
    expectCommandError(outcome, `${folder} exists, but is not a demo store. Move it away, or set DATA_DIR to another folder.`);
    expect(existsSync(path.join(folder, 'precious'))).to.equal(true);

    const broken = new Machine();
    const child = broken.start(['demo'], { PORT: '0' });
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect((await waitForExit(child)).code).to.equal(1);
    expect(readdirSync(broken.dataDir)).to.deep.equal([]);
  });
});
