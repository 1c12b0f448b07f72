import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';
import { TestService } from '../support/service.ts';
import { send, type WireRequest } from './wire.ts';

// What the fuzz has found, in the shortest form.

const raw = (text: string): WireRequest => ({ method: 'GET', target: '', headers: [], body: null, isChunked: false, raw: text });

forEachEngine((engine) => {
  describe('what generated requests have found', () => {
    let service: TestService;
    before(async () => {
      service = await (await TestService.start({ databaseUrl: await engine.freshUrl() })).withoutLimits();
    });
    after(() => service.stop());

    it('an empty JSON string is a body that is no object, not the absence of one: no key is made of it', async () => {
      const { headers } = await service.key(await service.user('boss', 'administrator'), ['read', 'manage']);
      const admin = await service.client(headers);
      const { status, body } = await admin.post('/keys', { raw: '""', headers: { 'Content-Type': 'application/json' } });
      expect([status, body.code, Object.keys(body.data.params)]).to.deep.equal([400, 'rest_invalid_param', ['body']]);
    });

    it('a body of no bytes is still no body', async () => {
      const { headers } = await service.key(await service.user('chief', 'manager'), ['read', 'manage']);
      const admin = await service.client({ ...headers, 'Content-Type': 'application/json' });
      expect((await admin.post('/keys', { raw: '' })).status).to.equal(201);
    });

    for (const [what, text] of [
      ['a request that names no host', 'GET /api/v2/openapi HTTP/1.1\r\n\r\n'],
      ['CONNECT', 'CONNECT shop.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ] as const)
      it(`${what} is answered in JSON, once, and its connection is closed`, async () => {
        const [reply, ...more] = await send(service.origin, raw(text));
        expect([reply?.status, JSON.parse(reply?.text ?? '').code, more.length]).to.deep.equal([400, 'rest_invalid_param', 0]);
        expect(reply?.headers).to.include.keys('x-request-id', 'content-type');
      });
  });
});
