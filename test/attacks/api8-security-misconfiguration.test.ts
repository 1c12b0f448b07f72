import { expect } from 'chai';
import { operations } from '../../generated/operations.ts';
import type { Contract } from '../../server/contract/contract.ts';
import { theContract } from '../support/contract.ts';
import { type AttackedStore, openAttackedStore } from './attacked-store.ts';
import { allOperations, requestFor } from './contract-requests.ts';
import { onOneEngine } from './one-engine.ts';
import { ask, type PlainAnswer, say } from './plain-http.ts';

const friend = 'https://shop.example';

onOneEngine((engine) => {
  describe('API8:2023 Security Misconfiguration', () => {
    let store: AttackedStore;
    let contract: Contract;
    before(async () => {
      contract = await theContract();
      store = await openAttackedStore(engine);
      await store.service.settings.set('cors.origins', [friend]);
    });
    after(() => store.service.stop());

    /** One response of every operation, with and without credentials, and of an unknown path. */
    async function answers(): Promise<Map<string, PlainAnswer>> {
      const all = new Map<string, PlainAnswer>();
      for (const operationId of allOperations) {
        const { target, ...request } = requestFor(contract, operationId, 987_654_321);
        all.set(`${operationId} without credentials`, await ask(store.service, target, request));
        if (operations[operationId].method === 'get')
          all.set(operationId, await ask(store.service, target, { ...request, headers: { ...request.headers, ...store.admin } }));
      }
      for (const target of ['/api', '/api/v2', '/nowhere', '/healthz', '/readyz', '/api/v2/%ff'])
        all.set(target, await ask(store.service, target));
      return all;
    }

    it('every response is JSON, and the stream of events text, with nosniff and no-store, and does not disclose the server software', async () => {
      // The document is the same for many: it may be kept, but not used before it was asked for again.
      const kept = new Map([
        ['get_openapi without credentials', 'no-cache'],
        ['get_openapi', 'private, no-cache'],
        ['get_events_stream', 'no-store, no-transform'],
      ]);
      for (const [what, { headers }] of await answers()) {
        expect(headers, what).to.include({ 'x-content-type-options': 'nosniff', 'cache-control': kept.get(what) ?? 'no-store' });
        const mediaType = what === 'get_events_stream' ? 'text/event-stream' : 'application/json';
        expect(headers['content-type'], what).to.equal(`${mediaType}; charset=utf-8`);
        for (const name of [
          'server',
          'x-powered-by',
          'access-control-allow-origin',
          'set-cookie',
          ...(what.startsWith('get_openapi') ? [] : ['etag']),
        ])
          expect(headers, what).not.to.have.property(name);
      }
    });

    it('a page of an origin that is not listed gets no CORS header, however similar it is to a listed one', async () => {
      const strangers = [
        'null',
        '*',
        'https://evil.example',
        `${friend}.evil.example`,
        `${friend}:8443`,
        'http://shop.example',
        'https://SHOP.example',
        `${friend}/`,
        'https://evil-shop.example',
        `${friend}, https://evil.example`,
        'https://shop.example\u00ff',
      ];
      for (const Origin of strangers)
        for (const [method, more] of [
          ['GET', {}],
          ['OPTIONS', { 'Access-Control-Request-Method': 'POST' }],
        ] as const) {
          const { headers } = await ask(store.service, '/api/v2/me', { method, headers: { Origin, ...more, ...store.admin } });
          const allowing = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
          expect(allowing, `${method} ${Origin}`).to.deep.equal([]);
        }
      const { headers } = await ask(store.service, '/api/v2/me', { headers: { Origin: friend, ...store.admin } });
      expect(headers).to.include({ 'access-control-allow-origin': friend, vary: 'Origin' });
    });

    it('TRACE, TRACK and similar methods echo nothing of the request', async () => {
      for (const method of ['TRACE', 'PROPFIND', 'PURGE', 'SEARCH', 'LINK', 'COPY', 'LOCK', 'OPTIONS', 'PUT']) {
        const { status, body } = await ask(store.service, '/api/v2/me', {
          method,
          headers: { ...store.admin, 'X-Secret': 'canary-header' },
        });
        expect([status, body.includes('canary-header')], method).to.deep.equal([404, false]);
      }
      for (const line of ['TRACK /api/v2/me', 'CONNECT evil.example:443', 'FOO /api/v2/me', 'PRI *']) {
        const answer = await say(store.service, `${line} HTTP/1.1\r\nHost: x\r\nX-Secret: canary-header\r\nConnection: close\r\n\r\n`);
        expect(answer, line)
          .to.match(/^(HTTP\/1\.1 4|$)/)
          .and.not.include('canary-header');
      }
      const upgrade =
        'GET /api/v2/me HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n\r\n';
      expect(await say(store.service, upgrade)).to.match(/^(HTTP\/1\.1 4|$)/);
    });

    it('two requests in one, by contradicting lengths, are refused', async () => {
      const heads = [
        'Content-Length: 5\r\nContent-Length: 6',
        'Content-Length: 5\r\nTransfer-Encoding: chunked',
        'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
        'Transfer-Encoding: xchunked',
        'Content-Length: +5',
        'Content-Length : 5',
        ' Content-Length: 5',
      ];
      for (const head of heads) {
        const smuggled = '0\r\n\r\nGET /api/v2/openapi HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
        const answer = await say(store.service, `POST /api/v2/keys HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${smuggled}`);
        expect(answer, head)
          .to.match(/^HTTP\/1\.1 400 /)
          .and.not.include('"openapi"');
      }
    });

    it('no response header can be injected by a request', async () => {
      const breaks = ['%0d%0aX-Injected:%201', '%0aX-Injected:%201', '%E5%98%8A%E5%98%8DX-Injected:%201'];
      for (const text of breaks)
        for (const target of [
          `/api/v2/${text}`,
          `/${text}`,
          `/api/v2/openapi?x=${text}`,
          `/sign-in?next=${text}`,
          `http://x${text}/api/v2/openapi`,
        ]) {
          const { headers } = await ask(store.service, target, { headers: { Origin: `${friend}${text}`, 'X-Request-Id': text } });
          expect(headers, target).not.to.have.property('x-injected');
          expect(headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
        }
      for (const name of ['X-Request-Id', 'Host', 'Origin', 'Idempotency-Key', 'X-Forwarded-Host'])
        for (const text of ['a\rX-Injected: 1', 'a\nX-Injected: 1', 'a\0X-Injected: 1', 'a\r X-Injected: 1']) {
          const answer = await say(store.service, `GET /api/v2/openapi HTTP/1.1\r\nConnection: close\r\n${name}: ${text}\r\n\r\n`);
          expect(answer.split('\r\n\r\n')[0], `${name} ${JSON.stringify(text)}`).not.to.match(/\nx-injected/i);
        }
    });

    it('no Host and no forwarded header is in the served document, which is the same for all of them', async () => {
      const forwarded = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', Forwarded: 'host=evil.example' };
      const hosts = ['evil.example', 'evil.example/@', 'a b', '"><script>', 'evil.example\\@x', 'ä.example', 'x:99999999'];
      const { body, headers: own } = await ask(store.service, '/api/v2/openapi');
      expect(JSON.parse(body).servers[0].url).to.equal('/api/v2');
      for (const headers of [forwarded, ...hosts.map((Host) => ({ Host }))])
        expect((await ask(store.service, '/api/v2/openapi', { headers })).headers['etag'], JSON.stringify(headers)).to.equal(own['etag']);
    });

    it('every log line is one line of JSON without terminal control characters, whatever was requested', async () => {
      const before = store.service.log.length;
      const signs = [
        '%0a{"level":60,"msg":"forged"}',
        '%1b[2J',
        '\u009b2J',
        '\u0085',
        '\u007f',
        '%c2%9b',
        '"}',
        '\\"',
        '%00',
        '\u00ff\u00fe',
      ];
      for (const sign of signs) {
        const raw = `GET /api/v2/${sign} HTTP/1.1\r\nHost: ${sign}\r\nUser-Agent: ${sign}\r\nX-Request-Id: ${sign}\r\nAuthorization: Basic ${Buffer.from(`${sign}:x`).toString('base64')}\r\nConnection: close\r\n\r\n`;
        await say(store.service, Buffer.from(raw, 'latin1'));
      }
      await store.service.signIn('boss\n{"level":60,"msg":"forged"}\u001b[2J', 'wrong');
      const lines = store.service.log.slice(before).join('').split('\n').filter(Boolean);
      expect(lines.length).to.be.least(5);
      for (const line of lines) {
        expect(JSON.parse(line)).to.include({ msg: 'request' });
        // oxlint-disable-next-line no-control-regex
        expect(line).not.to.match(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      }
    });
  });
});
