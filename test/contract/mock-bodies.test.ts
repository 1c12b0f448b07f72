import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { ContractClient } from '../support/contract-client.ts';
import { type RunningMock, startMock } from '../support/mock-server.ts';

describe('a request body sent to the mock', () => {
  let origin: string;
  let client: ContractClient;
  let mock: RunningMock;
  before(async () => {
    mock = await startMock();
    ({ client, origin } = mock);
  });
  after(() => mock.stop());

  it('is refused if it is malformed JSON', async () => {
    for (const raw of ['{', '{"coupon_id":}', 'coupon_id=301', '{"a":1}}', '\u0000']) {
      const { status, body } = await client.post('/payouts', { raw, headers: { 'Content-Type': 'application/json' } });
      expect([status, body.code], raw).to.deep.equal([400, 'rest_invalid_json']);
    }
  });

  it('may have 1 MiB of JSON or 64 KiB of a form and no more, with and without Content-Length', async () => {
    const json = (size: number) => `{"coupon_id":301,"padding":"${'x'.repeat(size - 30)}"}`;
    const chunked = (text: string) => new Blob([text]).stream();
    const headers = { 'Content-Type': 'application/json' };
    expect(json(2 ** 20)).to.have.lengthOf(2 ** 20);
    expect((await client.post('/payouts', { raw: json(2 ** 20), headers })).status).to.equal(201);
    for (const raw of [json(2 ** 20 + 1), chunked(json(2 ** 20 + 1)), json(3 * 2 ** 20)]) {
      const { status, body } = await client.post('/payouts', { raw, headers });
      expect([status, body.code]).to.deep.equal([413, 'rest_body_too_large']);
    }
    const form = (size: number) => client.post('/payouts', { form: 'coupon_id=301&padding='.padEnd(size, 'x') });
    expect([(await form(2 ** 16)).status, (await form(2 ** 16 + 1)).status]).to.deep.equal([201, 413]);
  });

  it('leaves the connection usable after a 413', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    const call = async (method: string, path: string, body?: string) => {
      const [response] = (await once(request(origin + path, { agent, method, headers }).end(body), 'response')) as [IncomingMessage];
      response.resume();
      return [response.statusCode, response.socket.localPort] as const;
    };
    const [refused, firstPort] = await call('POST', '/api/v2/payouts', `{"padding":"${'x'.repeat(2 ** 24)}"}`);
    const [served, secondPort] = await call('GET', '/api/v2/me');
    agent.destroy();
    expect([refused, served]).to.deep.equal([413, 200]);
    expect(secondPort).to.equal(firstPort);
  });

  it('is refused if it is JSON but no object', async () => {
    for (const raw of ['5', 'null', '"coupon_id"', '[]']) {
      const { status, body } = await client.post('/payouts', { raw, headers: { 'Content-Type': 'application/json' } });
      expect([status, body.data.params], raw).to.deep.equal([400, { body: 'body must be an object.' }]);
    }
  });

  it('is refused with another media type, and without one', async () => {
    for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/vnd.api+json', 'nonsense']) {
      const { status, body } = await client.post('/payouts', { raw: '{"coupon_id":301}', headers: { 'Content-Type': type } });
      expect([status, body.code], type).to.deep.equal([415, 'rest_unsupported_media_type']);
    }
    const untyped = new Blob(['{"coupon_id":301}']).stream();
    expect((await client.post('/payouts', { raw: untyped })).status).to.equal(415);
    const encoded = { 'Content-Type': 'application/json', 'Content-Encoding': 'nonsense' };
    expect((await client.post('/payouts', { raw: '{"coupon_id":301}', headers: encoded })).status).to.equal(415);
  });
  it('may be JSON with a charset, or a form with lists', async () => {
    const json = await client.post('/payouts', {
      raw: '{"coupon_id":301}',
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
    });
    expect(json.status).to.equal(201);
    expect((await client.post('/payouts', { form: 'coupon_id=301' })).status).to.equal(201);
    expect((await client.post('/keys', { form: 'scopes[]=read&scopes[]=write' })).status).to.equal(201);
    expect((await client.post('/keys', { form: 'scopes=read&scopes=write' })).status).to.equal(201);
    expect((await client.post('/keys', { form: 'scopes=read&scopes=root' })).status).to.equal(400);
  });

  it('may have unknown fields, dangerous names among them', async () => {
    const raw = '{"coupon_id":301,"later":1,"__proto__":{"admin":true},"constructor":{"prototype":{}}}';
    expect((await client.post('/payouts', { raw, headers: { 'Content-Type': 'application/json' } })).status).to.equal(201);
    expect((await client.post('/payouts', { form: 'coupon_id=301&__proto__[admin]=1' })).status).to.equal(201);
  });

  it('may be compressed, and is limited by its uncompressed size', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    expect((await client.post('/payouts', { raw: gzipSync('{"coupon_id":301}'), headers })).status).to.equal(201);
    expect((await client.post('/payouts', { raw: gzipSync('x'.repeat(2 ** 21)), headers })).status).to.equal(413);
    expect((await client.post('/payouts', { raw: '{"coupon_id":301}', headers })).body.code).to.equal('rest_invalid_json');
  });

  it('may be omitted if nothing is required, and is ignored by an operation without a body', async () => {
    expect((await client.post('/keys')).status).to.equal(201);
    expect((await client.post('/webhooks/5/test', { raw: 'anything', headers: { 'Content-Type': 'text/plain' } })).status).to.equal(200);
  });
});
