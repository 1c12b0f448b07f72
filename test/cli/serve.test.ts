import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect } from 'chai';
import { runAfterAllTests } from '../support/cleanup.ts';
import { onAnyEngine } from '../support/engines.ts';
import { expectCommandError, Machine } from './machine.ts';
import { isPortClosed, sendPartialRequest } from './partial-request.ts';
import { type RunningService, startService, waitUntil } from './running-service.ts';

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

const newAdministrator = (machine: Machine) =>
  machine.json('user', 'create', '--login', 'ada', '--email', 'ada@example.com', '--role', 'administrator');

const newKey = (machine: Machine) =>
  machine.json<{ id: number; token: string }>('key', 'create', '--user', 'ada', '--scopes', 'read,write,manage');

onAnyEngine((engine) => {
  describe('the command line beside a running service', () => {
    let machine: Machine;
    let service: RunningService;
    const call = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${service.url}/api/v2${path}`, init);

    before(async () => {
      machine = new Machine({ DATABASE_URL: await engine.emptyUrl() });
      await newAdministrator(machine);
      service = await startService(machine);
    });

    after(async () => {
      service.child.kill('SIGTERM');
      await service.ended;
    });

    it('creates keys that work at once, and stop working when they are revoked', async () => {
      const { id, token } = await newKey(machine);
      const me = await call('/me', bearer(token));
      expect([me.status, ((await me.json()) as { auth: unknown }).auth]).to.deep.equal([
        200,
        { method: 'api_key', key_id: id, scopes: ['read', 'write', 'manage'] },
      ]);
      await machine.json('key', 'revoke', String(id));
      const refused = await call('/me', bearer(token));
      expect([refused.status, ((await refused.json()) as { code: string }).code]).to.deep.equal([401, 'svc_api_invalid_key']);
    });

    it('changes settings that the service applies within a second', async () => {
      const { token } = await newKey(machine);
      expect((await call('/keys', bearer(token))).status).to.equal(200);
      await machine.json('settings', 'set', 'switches.get_keys', 'false');
      await waitUntil(1500, async () => (await call('/keys', bearer(token))).status === 404);
      await machine.json('settings', 'unset', 'switches.get_keys');
      await waitUntil(1500, async () => (await call('/keys', bearer(token))).status === 200);
    });

    it('creates application passwords for HTTP Basic', async () => {
      const { password } = await machine.json<{ password: string }>('user', 'app-password', 'ada', '--name', 'report');
      const Authorization = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`;
      expect((await call('/me', { headers: { Authorization } })).status).to.equal(200);
    });

    const onSqlite = engine.name === 'sqlite' ? it : () => {};

    onSqlite('is the only one on its database: a second is refused, naming the first, and one after a kill is not', async () => {
      const pid = service.child.pid;
      const path = machine.databaseUrl.slice('sqlite:'.length);
      const sentence = `Process ${pid} serves the database ${path} already. On SQLite one process serves: stop it first, or use PostgreSQL for several.`;
      // On the port of the first, so that a second that is not refused ends, too.
      const env = { PORT: new URL(service.url).port, ENVIRONMENT: 'local', LOG_LEVEL: 'silent' };
      expectCommandError(await machine.run(['serve'], env), sentence);
      service.child.kill('SIGKILL');
      await service.ended;
      service = await startService(machine);
      expect((await fetch(`${service.url}/readyz`)).status).to.equal(200);
    });

    const onPostgres = engine.name === 'postgres' ? it : () => {};

    onPostgres('runs several processes with WORKERS, and ends all of them with 0', async () => {
      const { line, url, child, ended } = await startService(machine, { WORKERS: '2' });
      expect((await fetch(`${url}/readyz`)).status).to.equal(200);
      child.kill('SIGTERM');
      expect(await ended).to.deep.equal({ code: 0, out: line, err: '' });
    });

    onPostgres('reports why its processes could not start, and exits with 1', async () => {
      const { port } = new URL(service.url);
      const { code, out, err } = await machine.run(['serve'], { WORKERS: '2', PORT: port, LOG_LEVEL: 'silent' });
      expect({ code, out }).to.deep.equal({ code: 1, out: '' });
      expect(err).to.match(new RegExp(`^PORT ${port} is in use .*\\nA worker ended before it was ready; its own message is above\\.\\n$`));
    });

    it('reports no problems with doctor, and the engine', async () => {
      const text = await machine.text('doctor');
      expect(text)
        .to.include(engine.name === 'sqlite' ? 'SQLite answers.' : 'PostgreSQL answers.')
        .and.not.include('problem');
    });
  });
});

describe('affiliate serve', () => {
  const machine = new Machine();
  let token: string;

  before(async () => {
    await newAdministrator(machine);
    ({ token } = await newKey(machine));
  });

  it('finishes an open request after SIGTERM, accepts no new one, and exits with 0', async () => {
    const { line, url, child, ended } = await startService(machine);
    expect(line).to.match(/^affiliate-api listening on http:\/\/127\.0\.0\.1:\d+\n$/);
    const { socket, answer, finish } = await sendPartialRequest(new URL(url), token);
    child.kill('SIGTERM');
    await waitUntil(30_000, () => isPortClosed(new URL(url)));
    finish();
    await once(socket, 'close');
    expect(answer()).to.match(/HTTP\/1\.1 201 /);
    expect(await ended).to.deep.equal({ code: 0, out: line, err: '' });
  });

  it('prints its address as one JSON document with --json', async () => {
    const { line, url, child, ended } = await startService(machine, {}, '--json');
    expect(JSON.parse(line)).to.deep.equal({ url });
    expect((await fetch(`${url}/readyz`)).status).to.equal(200);
    // A terminal that is closed sends SIGHUP.
    child.kill('SIGHUP');
    expect(await ended).to.deep.equal({ code: 0, out: line, err: '' });
  });

  it('ends with 0 after SIGTERM also when standard error is not read, or was closed by its reader', async () => {
    for (const hinder of ['pause', 'destroy'] as const) {
      const child = machine.start(['serve'], { PORT: '0', ENVIRONMENT: 'local' });
      runAfterAllTests(() => child.kill('SIGKILL'));
      child.stderr[hinder]();
      const url = /http\S+/.exec(String(await once(child.stdout, 'data')))?.[0] ?? '';
      // More lines than a pipe and its reader hold.
      const sockets = Array.from({ length: 120 }, () => connect(Number(new URL(url).port), '127.0.0.1').resume());
      for (const socket of sockets) socket.end('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(17));
      await Promise.all(sockets.map((socket) => once(socket, 'close')));
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      expect(code, hinder).to.equal(0);
    }
  });

  it('reports a taken port in one sentence', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const outcome = await machine.run(['serve'], { PORT: String(port), LOG_LEVEL: 'silent' });
    taken.close();
    expectCommandError(outcome, `PORT ${port} is in use on 127.0.0.1. Set PORT to another one, or to 0 for any that is free.`);
  });
});
