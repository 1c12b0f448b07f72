import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { TestService } from '../support/service.ts';
import { send, type WireRequest } from './wire.ts';

// Faults that the fuzzer has found, as the shortest requests.

const raw = (text: string): WireRequest => ({ method: 'GET', target: '', headers: [], body: null, isChunked: false, raw: text });

onAnyEngine((engine) => {
  describe('regressions found by the fuzzer', () => {
    let service: TestService;
    before(async () => {
      service = await (await TestService.start({ databaseUrl: await engine.freshUrl() })).withoutLimits();
    });
    after(() => service.stop());

    it('POST /keys rejects an empty JSON string as a body that is no object, and creates no key', async () => {
      const { headers } = await service.key(await service.user('boss', 'administrator'), ['read', 'manage']);
      const admin = await service.client(headers);
      const { status, body } = await admin.post('/keys', { raw: '""', headers: { 'Content-Type': 'application/json' } });
      expect([status, body.code, Object.keys(body.data.params)]).to.deep.equal([400, 'rest_invalid_param', ['body']]);
    });

    it('POST /keys treats an empty body as no body', async () => {
      const { headers } = await service.key(await service.user('chief', 'manager'), ['read', 'manage']);
      const admin = await service.client({ ...headers, 'Content-Type': 'application/json' });
      expect((await admin.post('/keys', { raw: '' })).status).to.equal(201);
    });

    for (const [what, text] of [
      ['a request without a Host header', 'GET /api/v2/openapi HTTP/1.1\r\n\r\n'],
      ['CONNECT', 'CONNECT shop.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ] as const)
      it(`${what} gets one response in JSON, and its connection is closed`, async () => {
        const [reply, ...more] = await send(service.origin, raw(text));
        expect([reply?.status, JSON.parse(reply?.text ?? '').code, more.length]).to.deep.equal([400, 'rest_invalid_param', 0]);
        expect(reply?.headers).to.include.keys('x-request-id', 'content-type');
      });
  });
});
