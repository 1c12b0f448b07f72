import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { mainlyOn } from '../support/engines.ts';
import { expectCommandError, Machine, mapConcurrently, waitForExit } from './machine.ts';
import { startService } from './running-service.ts';

const lines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const people = [
  { kind: 'user', login: 'ada', email: 'ada@example.com', display_name: 'Ada' },
  { kind: 'coupon', id: 301, code: 'ADA10', user: 'ada' },
];
const order = (order_id: number) => ({
  kind: 'order',
  order_id,
  coupon_id: 301,
  date: '2026-10-01T12:00:00',
  status: 'completed',
  total: 100,
});

interface Post {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver on this machine. */
async function receiver(code: number): Promise<{ url: string; posts: Post[]; server: Server }> {
  const posts: Post[] = [];
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    posts.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(code).end('seen');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, posts, server };
}

/** `affiliate listen`, read line by line. */
function listening(machine: Machine, ...args: string[]) {
  const child: ChildProcessWithoutNullStreams = machine.start(['listen', ...args]);
  const ended = waitForExit(child);
  const said = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async (): Promise<string> => String((await said.next()).value);
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    const { code, err } = await ended;
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
  };
  children.push(child);
  return { line, json: async () => JSON.parse(await line()), stop };
}

const children: ChildProcessWithoutNullStreams[] = [];

describe('affiliate listen', () => {
  after('end listeners that are still running', () => {
    for (const child of children) child.kill('SIGKILL');
  });

  const imported = async (machine: Machine, ...records: object[]): Promise<void> => {
    const { code, err } = await machine.run(['import', '-', '--json'], { input: lines(records) });
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
  };

  mainlyOn('sqlite', (engine) => {
    it('prints new deliveries, and forwards them so that the standardwebhooks library verifies them, also in production', async () => {
      const machine = new Machine({ DATABASE_URL: await engine.freshUrl(), ENVIRONMENT: 'production' });
      await imported(machine, ...people);
      const hook = await receiver(202);
      const listener = listening(machine, '--json', '--forward', `${hook.url}/hooks?shop=1`);
      const { secret, ...ready } = await listener.json();
      expect(ready).to.deep.equal({ ready: true, forward: `${hook.url}/hooks?shop=1` });
      await imported(machine, order(1), order(2));
      const heard = [await listener.json(), await listener.json(), await listener.json(), await listener.json()];
      await listener.stop();
      hook.server.close();

      const events = ['referral.created', 'commission.added', 'referral.created', 'commission.added'];
      expect(heard.map(({ event }) => event)).to.have.members(events);
      expect(new Set(heard.map(({ id }) => id)).size).to.equal(4);
      for (const [index, { id, event, verified, headers, body, forwarded }] of heard.entries()) {
        const { path, headers: got, body: raw } = hook.posts[index] as Post;
        expect({ verified, code: forwarded.code, path, raw }).to.deep.equal({
          verified: true,
          code: 202,
          path: '/hooks?shop=1',
          raw: body,
        });
        for (const [name, value] of Object.entries(headers)) expect(got[name.toLowerCase()], name).to.equal(value);
        expect(got).to.include({ 'content-type': 'application/json', 'x-svc-event': event, 'x-svc-delivery': id });
        expect(new Webhook(secret).verify(raw, got as Record<string, string>)).to.include({ id, event, site: 'https://example.com' });
      }
      expect(await machine.json('webhook', 'list'), 'no webhook is created').to.deep.equal([]);
    });
  });

  it('prints only the requested events, and continues when the receiver is not reachable', async () => {
    const machine = new Machine();
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    await imported(machine, ...people.slice(0, 1));
    const { url, server } = await receiver(500);
    server.close();
    const listener = listening(machine, '--events', 'affiliate.created,referral.created', '--secret', secret, '--forward', url);
    expect([await listener.line(), await listener.line(), await listener.line()]).to.deep.equal([
      'Listening to the events of My store. Ctrl-C ends it.',
      `Signing secret: ${secret}`,
      `Forwarding to ${url}/`,
    ]);
    await imported(machine, ...people.slice(1), order(1));
    expect(await listener.line()).to.equal('');
    expect(await listener.line()).to.match(
      /^\d\d:\d\d:\d\d {2}affiliate\.created {2}dlv_\d+ {2}verified {2}→ The receiver refused the connection\.$/,
    );
    expect(JSON.parse(await listener.line())).to.deep.include({ event: 'affiliate.created' });
    expect(await listener.line()).to.equal('');
    expect(await listener.line()).to.match(/ {2}referral\.created {2}/);
    await listener.line();
    await listener.stop();
  });

  it('follows the API with a key, without the database, and creates the deliveries that a webhook would receive', async () => {
    const machine = new Machine({ ENVIRONMENT: 'local' });
    const elsewhere = new Machine();
    await machine.addUser('boss', 'administrator');
    await imported(machine, ...people);
    const makeKey = (user: string, scope: string) => machine.json<{ token: string }>('key', 'create', '--user', user, '--scopes', scope);
    const { token } = await makeKey('boss', 'read');
    const foreign = await makeKey('ada', 'read');
    await machine.store('addons.agents', true);
    const { url, child, ended, log } = await startService(machine, { LOG_LEVEL: 'info' });
    const refused = async (reason: RegExp, ...args: string[]) => expectCommandError(await elsewhere.run(['listen', ...args]), reason);
    await refused(/^The service does not accept the key\./, '--url', url, '--token', 'svc_wrong');
    await refused(/^The service refused .*: .*administrator/, '--url', url, '--token', foreign.token);
    await refused(/^http:\/\/127\.0\.0\.1:9\/api\/v2 does not answer: .* Check --url\.$/m, '--url', 'http://127.0.0.1:9', '--token', token);
    await refused(/^--url needs a key: --token/, '--url', url);
    await refused(/^--token and --site belong to --url/, '--token', token);

    const hook = await receiver(204);
    const shop = ['--site', 'https://shop.example'];
    const remote = listening(
      elsewhere,
      '--json',
      '--url',
      url,
      '--token',
      token,
      ...shop,
      '--forward',
      hook.url,
      '--events',
      'referral.created',
    );
    const { secret } = await remote.json();
    await imported(machine, order(1));
    const { event, id, body, verified, forwarded } = await remote.json();
    await remote.stop();
    hook.server.close();
    child.kill('SIGTERM');
    await ended;
    expect({ event, verified, code: forwarded.code }).to.deep.equal({ event: 'referral.created', verified: true, code: 204 });
    const [post] = hook.posts as [Post];
    const delivered = new Webhook(secret).verify(post.body, post.headers as Record<string, string>) as { created: string };
    expect(delivered).to.deep.include({ id, event, site: 'https://shop.example' });
    expect(body).to.equal(post.body);
    expect(Math.abs(Date.parse(delivered.created) - Date.now())).to.be.below(120_000);
    expect(existsSync(elsewhere.dataDir), 'no database is created').to.equal(false);
    expect(log()).to.match(/"operation":"get_events_stream","status":200/);
  });

  it('reports invalid options', async () => {
    const machine = new Machine();
    await machine.text('migrate');
    const refusals = new Map([
      ['--forward localhost:3000', /^--forward is "localhost:3000"\. It must be an http or https address/],
      ['--forward http://me:word@localhost/', /without user name or password/],
      ['--secret short', /^--secret must be whsec_ and the base64 of at least 24 bytes\.$/m],
      ['--events payout.paid,nonsense', /^There is no event "nonsense"\. There are referral\.created, .*payout\.paid/],
    ]);
    const outcomes = await mapConcurrently([...refusals.keys()], (args) => machine.run(['listen', ...args.split(' ')]));
    for (const [args, outcome] of outcomes) expectCommandError(outcome, refusals.get(args) ?? '');
    await machine.store('addons.webhooks', false);
    expectCommandError(await machine.run(['listen']), 'The add-on webhooks is not active here, so there are no deliveries.');
  });
});
