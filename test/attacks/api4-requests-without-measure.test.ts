import { once } from 'node:events';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { readCredentials } from '../../server/auth/credentials.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { type ListeningServer, listen, requestTimeouts } from '../../server/http/http-server.ts';
import type { RequestHandler } from '../../server/limits/concurrency-limiter.ts';
import { koaContext } from '../support/koa-context.ts';
import { type AttackedStore, openAttackedStore } from './attacked-store.ts';
import { onOneEngine } from './one-engine.ts';
import { ask, jsonType, say } from './plain-http.ts';

const mebibyte = 2 ** 20;
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

onOneEngine((engine) => {
  describe('API4:2023 Unrestricted Resource Consumption: requests', () => {
    let store: AttackedStore;
    before(async () => {
      store = await openAttackedStore(engine);
    });
    after(() => store.service.stop());
    // Whatever was done to it, it serves the next one.
    afterEach(async () => expect((await ask(store.service, '/api/v2/me', { headers: store.admin })).status).to.equal(200));

    const post = (body: string | Buffer, headers: Record<string, string> = jsonType, target = '/api/v2/keys') =>
      ask(store.service, target, { method: 'POST', body, headers: { ...store.admin, ...headers } });

    it('a body over 1 MiB is refused, with and without Content-Length, compressed or not', async () => {
      const long = JSON.stringify({ description: 'x'.repeat(mebibyte) });
      const bomb = Buffer.from(JSON.stringify({ description: 'x'.repeat(8 * mebibyte) }));
      expect((await post(long)).status).to.equal(413);
      expect((await post(long, { ...jsonType, 'Transfer-Encoding': 'chunked' })).status).to.equal(413);
      for (const [encoding, pack] of [
        ['gzip', gzipSync],
        ['deflate', deflateSync],
      ] as const) {
        const packed = pack(bomb);
        expect(packed.length).to.be.lessThan(mebibyte);
        expect((await post(packed, { ...jsonType, 'Content-Encoding': encoding })).status, encoding).to.equal(413);
      }
      const small = brotliCompressSync(bomb);
      expect((await post(small, { ...jsonType, 'Content-Encoding': 'br' })).status).to.be.oneOf([413, 415]);
      expect((await post(gzipSync(gzipSync(bomb)), { ...jsonType, 'Content-Encoding': 'gzip, gzip' })).status).to.equal(415);
    });

    it('a body is not read before its sender is authorised', async () => {
      const head =
        'POST /api/v2/keys HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n';
      expect(await say(store.service, head)).to.match(/^HTTP\/1\.1 401 /);
    });

    it('a deep, wide or repetitive document is answered like any other, and with 413 beyond 10,000 values or 64 levels', async () => {
      const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);
      const wide = (times: number) => `{${Array.from({ length: times }, (_, at) => `"k${at}":1`).join()}}`;
      const bodies = (times: number) => [
        deep('[', ']', times),
        deep('{"a":', '1}', times),
        `{"scopes":${deep('[', ']', times)}}`,
        `{"description":${deep('[', ']', times)}}`,
        `{"x":${deep('[', ']', times)}}`,
        wide(times),
        `{"scopes":[${'"read",'.repeat(times)}"read"]}`,
        `{"scopes":[${'0,'.repeat(times)}0]}`,
      ];
      for (const body of bodies(60)) expect((await post(body)).status, body.slice(0, 30)).to.be.oneOf([201, 400]);
      for (const body of bodies(9000).slice(0, 5)) expect((await post(body)).status, body.slice(0, 30)).to.equal(413);
      for (const body of bodies(9000).slice(5)) expect((await post(body)).status, body.slice(0, 30)).to.be.oneOf([201, 400]);
      for (const body of bodies(60_000)) expect((await post(body)).status, body.slice(0, 30)).to.equal(413);
    });

    it('forms and queries with very many parameters are answered', async () => {
      expect((await post('scopes[]=read&'.repeat(999), form)).status).to.be.oneOf([201, 400]);
      expect((await post(`${'a[b][c]=1&'.repeat(999)}scopes=read`, form)).status).to.equal(201);
      const query = Array.from({ length: 2000 }, (_, at) => `p${at}`).join('&');
      expect((await ask(store.service, `/api/v2/keys?${query}&per_page=5`, { headers: store.admin })).status).to.equal(200);
      expect((await ask(store.service, `/api/v2/keys?${'page=1&'.repeat(2000)}`, { headers: store.admin })).status).to.equal(400);
    });

    it('a request line or headers beyond 16 KiB are refused, and very many headers do no harm', async () => {
      expect(await say(store.service, `GET /api/v2/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)).to.match(/^HTTP\/1\.1 431 /);
      const long = await say(store.service, `GET /api/v2/me HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
      expect(long).to.match(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
      expect(long).to.include('"message":"The headers of the request are larger than 16 KiB.","data":{"status":431}');
      const many = Array.from({ length: 1500 }, (_, at) => `x${at}: 1\r\n`).join('');
      expect(await say(store.service, `GET /api/v2/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${many}\r\n`)).to.match(
        /^HTTP\/1\.1 4\d\d /,
      );
    });

    it('ranges, conditions and an Idempotency-Key of any length do no harm', async () => {
      const Range = `bytes=${Array.from({ length: 1000 }, (_, at) => `${at}-`).join()}`;
      const { status, headers } = await ask(store.service, '/api/v2/openapi', { headers: { Range } });
      expect([status, headers['content-range']]).to.deep.equal([200, undefined]);
      const body = JSON.stringify({ coupon_id: store.records.coupons.victim });
      const key = (length: number) => post(body, { ...jsonType, 'Idempotency-Key': 'k'.repeat(length) }, '/api/v2/payouts');
      expect((await key(10_000)).status).to.equal(400);
    });

    it('no text causes excessive backtracking in a regular expression', async function () {
      // Not timed: where one of them takes a quarter of a second, as the square of its length does, this is not enough for all.
      this.timeout(20_000);
      const spaces = ' '.repeat(14_000);
      const texts = [
        `Bearer a${spaces}b`,
        `Basic ${spaces}b`,
        'a@'.repeat(7000),
        `${'-'.repeat(14_000)}!`,
        `${'a='.repeat(7000)};`,
        '1,'.repeat(7000),
      ];
      for (let time = 0; time < 60; time += 1)
        for (const text of texts) readCredentials(koaContext({ authorization: text, 'x-svc-api-key': text, cookie: text }));
      for (let time = 0; time < 60; time += 1) for (const text of texts) readCredentials(koaContext({ cookie: text }));
      const paths = [
        'a'.repeat(14_000),
        '%4'.repeat(7000),
        'svc_'.repeat(3500),
        '/'.repeat(14_000),
        'whsec_/'.repeat(2000),
        '.@'.repeat(7000),
      ];
      for (const path of paths) for (let time = 0; time < 50; time += 1) await ask(store.service, `/api/v2/${path}`);
      for (const name of ['X-Request-Id', 'Content-Type', 'Accept', 'Origin', 'X-Forwarded-For', 'Idempotency-Key'])
        for (const text of texts) await ask(store.service, '/api/v2/me', { headers: { [name]: text } });
    });
  });
});

describe('API4:2023 Unrestricted Resource Consumption: clients that send byte by byte', () => {
  let listening: ListeningServer;
  before(async () => {
    const readAll: RequestHandler = (request, response) => once(request.resume(), 'end').then(() => response.end('all read'));
    const hasty = { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 30 };
    listening = await listen(readAll, readConfiguration({ PORT: '0' }), {}, hasty);
  });
  after(() => listening.drain());

  it('are disconnected after half of the body', async () => {
    const half = 'POST /api/v2/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"a":';
    expect(await say({ origin: listening.url }, half)).not.to.include('all read');
  });

  it('have a shorter timeout than the requests of one key would need to fill the service', () => {
    expect(requestTimeouts.headersTimeout).to.be.most(requestTimeouts.requestTimeout).and.most(20_000);
    expect((requestTimeouts.requestTimeout + requestTimeouts.connectionsCheckingInterval) / 60_000).to.be.below(1);
  });
});
