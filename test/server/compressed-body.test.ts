import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import Koa from 'koa';
import { chooseCoding, compressedJson } from '../../server/http/compressed-body.ts';
import type { RequestState } from '../../server/http/request-context.ts';
import { builtWeb } from '../support/built-web.ts';
import { onAnyEngine } from '../support/engines.ts';
import { koaContext } from '../support/koa-context.ts';
import { TestService } from '../support/service.ts';

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Exactly these headers, and the bytes as they come: fetch would add the ones and decode the others. */
const ask = (url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request(url, { method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }));
    })
      .once('error', reject)
      .end();
  });

const decode: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

onAnyEngine((engine) => {
  describe('a large body that is the same for many callers', () => {
    let service: TestService;
    let iconUrl: string;
    let urls: string[];
    before(async () => {
      await builtWeb();
      service = await TestService.start({ databaseUrl: await engine.freshUrl() });
      await service.settings.set('limits.anonymous', 1_000_000);
      const page = await (await fetch(`${service.origin}/docs`)).text();
      const [script, style, icon] = [/src="(\S+\.js)"/, /href="(\S+\.css)"/, /href="(\S+\.svg)"/].map((pattern) => pattern.exec(page)?.[1]);
      iconUrl = `${service.origin}${icon}`;
      urls = ['/api/v2/openapi', script, style].map((path) => `${service.origin}${path}`);
    });
    after(() => service.stop());

    it('is sent compressed to clients that accept it, with an ETag and length of its own, and decompresses to the same bytes', async () => {
      for (const url of urls) {
        const plain = await ask(url);
        expect(plain.headers, url).not.to.have.property('content-encoding');
        for (const coding of ['gzip', 'br']) {
          const packed = await ask(url, { 'Accept-Encoding': coding });
          expect([packed.status, packed.headers['content-encoding']], url).to.deep.equal([200, coding]);
          expect(packed.headers['content-type']).to.equal(plain.headers['content-type']);
          expect(packed.headers['content-length']).to.equal(String(packed.body.length));
          expect(packed.body.length).to.be.below(plain.body.length);
          expect(decode[coding]?.(packed.body).equals(plain.body), `${url} ${coding}`).to.equal(true);
        }
      }
    });

    it('has a strong ETag for each coding and answers 304 to it, but not to the ETag of another coding', async () => {
      for (const url of urls) {
        const forms = ['identity', 'gzip', 'br'];
        const tags = await Promise.all(forms.map(async (form) => String((await ask(url, { 'Accept-Encoding': form })).headers.etag)));
        expect(new Set(tags).size, url).to.equal(3);
        for (const [at, form] of forms.entries())
          for (const [other, tag] of tags.entries()) {
            const { status, headers, body } = await ask(url, { 'Accept-Encoding': form, 'If-None-Match': tag });
            expect(status, `${url} ${form} ${tag}`).to.equal(at === other ? 304 : 200);
            expect(headers.vary).to.include('Accept-Encoding');
            expect(headers.etag).to.equal(tags[at]);
            if (at === other) expect([body.length, headers['cache-control']]).to.deep.equal([0, (await ask(url)).headers['cache-control']]);
          }
      }
    });

    it('answers HEAD with the headers of GET', async () => {
      for (const url of urls)
        for (const form of ['identity', 'br']) {
          const [head, whole] = [await ask(url, { 'Accept-Encoding': form }, 'HEAD'), await ask(url, { 'Accept-Encoding': form })];
          expect([head.status, head.body.length], url).to.deep.equal([200, 0]);
          for (const name of ['content-length', 'content-encoding', 'content-type', 'etag', 'vary', 'cache-control'] as const)
            expect(head.headers[name], `${url} ${name}`).to.equal(whole.headers[name]);
        }
    });

    it('is never sent compressed to a client that does not accept it, whatever other clients accepted before', async () => {
      const { headers: key } = await service.key(await service.user('reader', 'customer'), ['read']);
      for (const credentials of [{}, key])
        for (let turn = 0; turn < 6; turn += 1) {
          const [packed, plain, refusing] = await Promise.all([
            ask(urls[0] ?? '', { ...credentials, 'Accept-Encoding': turn % 2 ? 'br' : 'gzip' }),
            ask(urls[0] ?? '', credentials),
            ask(urls[0] ?? '', { ...credentials, 'Accept-Encoding': 'gzip;q=0, br;q=0' }),
          ]);
          expect(packed.headers['content-encoding']).to.equal(turn % 2 ? 'br' : 'gzip');
          for (const { headers, body } of [plain, refusing]) {
            expect(headers).not.to.have.property('content-encoding');
            expect(JSON.parse(body.toString())).to.have.property('openapi', '3.1.0');
          }
        }
    });

    it('gets a new ETag with a change of the settings', async () => {
      const tag = async () => (await ask(urls[0] ?? '', { 'Accept-Encoding': 'br' })).headers.etag;
      const before = await tag();
      expect(await tag()).to.equal(before);
      await service.settings.set('store.name', 'Fjell');
      expect(await tag()).not.to.equal(before);
    });

    it('is compressed alone: small bodies and responses of the API are sent as they are', async () => {
      const { headers: key } = await service.key(await service.user('asker', 'customer'), ['read']);
      expect((await ask(iconUrl, { 'Accept-Encoding': 'br' })).headers).not.to.have.property('content-encoding');
      for (let turn = 0; turn < 2; turn += 1) {
        const { headers } = await ask(`${service.origin}/api/v2/me`, { ...key, 'Accept-Encoding': 'br, gzip' });
        expect(headers).not.to.have.any.keys('content-encoding', 'etag');
        expect(headers['cache-control']).to.equal('no-store');
      }
    });

    it('counts against the rate limit, also when it is answered 304', async () => {
      const left = ({ headers }: Answer): number => Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
      const first = await ask(urls[0] ?? '');
      const again = await ask(urls[0] ?? '', { 'If-None-Match': String(first.headers.etag) });
      expect([again.status, left(first) - left(again)]).to.deep.equal([304, 1]);
    });
  });
});

describe('compressedJson', () => {
  it('compresses a document once for each coding, not for each request', async () => {
    const document = { openapi: '3.1.0', info: { description: 'long '.repeat(1000) } };
    const bodies: unknown[] = [];
    const app = new Koa<RequestState>();
    app.use(async (ctx) => {
      await compressedJson(document).send(ctx, 'no-cache');
      bodies.push(ctx.body);
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await Promise.all([1, 2, 3].map(() => ask(url, { 'Accept-Encoding': 'br' })));
    server.close();
    server.closeAllConnections();
    expect(bodies).to.have.length(3);
    expect(new Set(bodies).size).to.equal(1);
  });
});

describe('the content coding chosen for the Accept-Encoding header', () => {
  const cases: [header: string | undefined, coding: string][] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;Q=0.9, BR;Q=0.8', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['gzip;q=0.000', 'identity'],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['*;q=0', 'identity'],
    ['gzip, *;q=0', 'gzip'],
    ['identity', 'identity'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0', 'identity'],
    ['deflate, zstd', 'identity'],
    ['gzip;level=1;q=0.3', 'gzip'],
    [',;q=1,gzip ; q = 0.2', 'gzip'],
  ];
  for (const [header, coding] of cases)
    it(`is ${coding} for ${header === undefined ? 'no header' : JSON.stringify(header)}`, () => {
      const headers = header === undefined ? {} : { 'accept-encoding': header };
      expect(chooseCoding(koaContext(headers))).to.equal(coding);
    });
});
