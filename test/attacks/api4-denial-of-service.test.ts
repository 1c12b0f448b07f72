import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync, Unzip } from 'node:zlib';
import { expect } from 'chai';
import { readConfiguration } from '../../server/configuration.ts';
import { type ListeningServer, listen } from '../../server/http/http-server.ts';
import { onAnyEngine } from '../support/engines.ts';
import { withPasswordCost } from '../support/password-cost.ts';
import { type AttackedStore, openAttackedStore } from './attacked-store.ts';
import { onOneEngine } from './one-engine.ts';
import { ask, jsonType } from './plain-http.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const portOf = (url: string): number => Number(new URL(url).port);

onAnyEngine((engine) => {
  describe('API4:2023 Unrestricted Resource Consumption: probes', () => {
    let store: AttackedStore;
    const statements: string[] = [];
    before(async () => {
      store = await openAttackedStore(engine, { onStatement: (sql) => statements.push(sql) });
    });
    after(() => store.service.stop());

    /** Sends so many requests at once. Returns the number of responses when all have arrived or the connection is closed. */
    async function pipeline(count: number): Promise<number> {
      const socket = connect(portOf(store.service.origin), '127.0.0.1');
      let received = '';
      socket.on('data', (chunk) => (received += chunk.toString('latin1')));
      socket.on('error', () => {});
      const closed = once(socket, 'close');
      socket.write('GET /readyz?pipelined HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count));
      const responses = (): number => received.split('"status":"ok"').length - 1;
      while (responses() < count && !socket.destroyed) await Promise.race([once(socket, 'data'), closed]);
      socket.destroy();
      return responses();
    }

    it('16 pipelined requests behind another are answered, and more close their connection', async () => {
      expect(await pipeline(17)).to.equal(17);
      expect(await pipeline(18)).to.be.lessThan(18);
    });

    it('600 pipelined probes on each of 20 connections share one check, use no slot of other requests and are not all handled', async () => {
      await ask(store.service, '/readyz');
      statements.length = 0;
      const flood = Array.from({ length: 20 }, () => pipeline(600));
      const reads = Array.from({ length: 40 }, () => ask(store.service, '/api/v2/me', { headers: store.admin }));
      const probes = Array.from({ length: 5 }, () => ask(store.service, '/readyz'));
      const statuses = (await Promise.all([...reads, ...probes])).map(({ status }) => status);
      expect(new Set(statuses)).to.deep.equal(new Set([200]));
      for (const answered of await Promise.all(flood)) expect(answered).to.be.lessThan(18);
      // Two for each check, which are a second apart, and some for each of the reads.
      expect(statements.length).to.be.lessThan(300);
    });
  });
});

onOneEngine((engine) => {
  describe('API4:2023 Unrestricted Resource Consumption: sign-ins and bodies', () => {
    withPasswordCost(1 / 4);
    let store: AttackedStore;
    before(async () => {
      store = await openAttackedStore(engine, { env: { TRUSTED_PROXIES: '127.0.0.1' } });
    });
    after(() => store.service.stop());

    const post = (body: string) => ask(store.service, '/api/v2/keys', { method: 'POST', body, headers: { ...store.admin, ...form } });

    it('300 sign-ins from as many addresses fill a queue of their own, and all other writes are answered', async () => {
      const signIn = (index: number) =>
        ask(store.service, '/sign-in', {
          method: 'POST',
          headers: { ...form, Cookie: 'svc_form=token', 'X-Forwarded-For': `198.51.${index >> 7}.${index & 127}` },
          body: 'form_token=token&login=boss&password=wrong',
        });
      const signIns = Array.from({ length: 300 }, (_, index) => signIn(index));
      const writes = Array.from({ length: 10 }, () =>
        ask(store.service, '/api/v2/keys', { method: 'POST', body: '{"scopes":["read"]}', headers: { ...store.admin, ...jsonType } }),
      );
      expect((await Promise.all(writes)).map(({ status }) => status)).to.deep.equal(writes.map(() => 201));
      const answers = (await Promise.all(signIns)).map(({ status }) => status);
      expect(new Set(answers)).to.deep.equal(new Set([401, 503]));
      expect((await signIn(301)).status).to.equal(401);
    });

    it('a form of more than 1,000 fields or 64 KiB is refused with 413', async () => {
      const fields = (count: number) => Array.from({ length: count }, (_, at) => `k${at}=1`).join('&');
      expect((await post(fields(1001))).body).to.contain('"The form has more than 1,000 fields."');
      expect((await post(fields(100_000))).body).to.contain('"The form is larger than 64 KiB."');
      expect((await post(`description=${'x'.repeat(70_000)}`)).status).to.equal(413);
      expect((await post(`scopes=read&${fields(999)}`)).status).to.equal(201);
    });

    it('JSON of more than 10,000 values or 64 levels is refused with 413 before it is parsed', async () => {
      const post = (body: string) => ask(store.service, '/api/v2/keys', { method: 'POST', body, headers: { ...store.admin, ...jsonType } });
      const list = (count: number) => Array.from({ length: count }, () => '1').join();
      const many = '"The body has more than 10,000 values or 64 levels."';
      const sizes = { '1 MiB of a list': `[${list(500_000)}]`, 'a list': `{"other":[${list(10_000)}]}`, depth: '['.repeat(65) };
      for (const [what, body] of Object.entries(sizes)) expect((await post(body)).body, what).to.contain(many);
      const deep = (levels: number) => `{"scopes":["read"],"other":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
      expect((await post(deep(65))).body).to.contain(many);
      expect((await post(deep(64))).status).to.equal(201);
      expect((await post(`{"scopes":["read"],"other":[${list(9000)}]}`)).status).to.equal(201);
      const marks = JSON.stringify({ scopes: ['read'], other: `${',[{'.repeat(10_000)}"\\`, more: [',"', '{'.repeat(10_000)] });
      expect((await post(marks)).status, 'brackets in strings').to.equal(201);
    });

    it('400 MiB compressed to 400 KB are refused with 413, are not decompressed any further, and the connection serves the next request', async () => {
      const member = gzipSync(Buffer.alloc(8 * 2 ** 20, ' '));
      const bomb = Buffer.concat(Array.from({ length: 50 }, () => member));
      const unpackers = await collectUnpackers(async () => {
        const socket = connect(portOf(store.service.origin), '127.0.0.1');
        let received = '';
        socket.on('data', (chunk) => (received += chunk.toString('latin1')));
        const headers = Object.entries({ ...store.admin, ...jsonType, 'Content-Encoding': 'gzip' }).map(
          ([name, value]) => `${name}: ${value}\r\n`,
        );
        socket.write(`POST /api/v2/keys HTTP/1.1\r\nHost: x\r\n${headers.join('')}Content-Length: ${bomb.length}\r\n\r\n`);
        socket.write(bomb);
        socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
        await once(socket, 'close');
        expect(received.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 413', 'HTTP/1.1 200']);
      });
      expect(unpackers.length).to.equal(1);
      expect(unpackers[0]?.bytesWritten).to.be.lessThan(bomb.length / 3);
    });
  });
});

const transformMethod = '_transform';

/** The streams that decompress while `run` runs. */
async function collectUnpackers(run: () => Promise<void>): Promise<Unzip[]> {
  const found = new Set<Unzip>();
  const prototype = (Unzip as unknown as { prototype: Record<string, (...args: unknown[]) => void> }).prototype;
  const transform = prototype[transformMethod];
  prototype[transformMethod] = function (this: Unzip, ...args: unknown[]) {
    found.add(this);
    return transform?.apply(this, args);
  };
  await run().finally(() => transform && (prototype[transformMethod] = transform));
  return [...found];
}

describe('API4:2023 Unrestricted Resource Consumption: connections', () => {
  let listening: ListeningServer;
  const hasty = { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 30 };
  const start = async (variables: Record<string, string>, timeouts?: typeof hasty): Promise<void> => {
    const configuration = readConfiguration({ PORT: '0', ...variables });
    listening = await listen(
      async (_request, response) => response.end('ok'),
      configuration,
      { connectionsPerAddress: () => 20 },
      timeouts,
    );
  };
  afterEach(() => listening.drain());

  const open = (): Socket => connect({ port: portOf(listening.url), host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});

  /** Whether the server answers a request on the connection. One that it has closed never answers. */
  const isAnswered = (socket: Socket): Promise<boolean> =>
    new Promise((resolve) => {
      socket.once('data', () => resolve(true));
      socket.once('end', () => resolve(false));
      socket.once('close', () => resolve(false));
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    });

  it('with half of the headers are destroyed after the timeout, also where the client never closes its side', async () => {
    await start({}, hasty);
    const sockets = Array.from({ length: 15 }, open);
    for (const socket of sockets) socket.resume().write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    await Promise.all(sockets.map((socket) => once(socket, 'end')));
    // A peer that has only ended its own side would go on reading.
    for (const socket of sockets) while (!socket.destroyed) await pause(20, socket.write('x'));
  });

  it('of one address are closed above its limit, and are accepted again when one of them ends', async () => {
    await start({});
    const sockets = Array.from({ length: 25 }, open);
    const answered = await Promise.all(sockets.map(isAnswered));
    expect(answered.filter(Boolean).length).to.equal(20);
    for (const socket of sockets) socket.destroy();
    while (!(await isAnswered(open()))) await pause(20);
  });

  it('of a trusted proxy have no limit of their own', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1' });
    const sockets = Array.from({ length: 40 }, open);
    expect((await Promise.all(sockets.map(isAnswered))).filter(Boolean).length).to.equal(40);
    for (const socket of sockets) socket.destroy();
  });
});
