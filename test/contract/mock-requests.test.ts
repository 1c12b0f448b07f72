import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { ContractClient } from '../support/contract-client.ts';
import { type RunningMock, startMock } from '../support/mock-server.ts';

// The mock reads requests as the service does: test/api/bad-requests.test.ts and test/attacks have the rest.
describe('the mock', () => {
  let origin: string;
  let client: ContractClient;
  let stranger: ContractClient;
  let mock: RunningMock;
  before(async () => {
    mock = await startMock();
    ({ client, stranger, origin } = mock);
  });
  after(() => mock.stop());

  const json = { 'Content-Type': 'application/json' };
  const payout = '{"coupon_id":301}';
  const post = async (raw: string | Buffer | ReadableStream, headers: Record<string, string> = json) => {
    const { status, body } = await client.post('/payouts', { raw, headers });
    return status === 201 ? status : [status, body.code];
  };

  it('refuses an unknown path, inside and outside the namespace, and another method on a known one', async () => {
    expect(await stranger.get('/nothing')).to.deep.include({ status: 404 });
    for (const path of ['/nothing', '/api/v1/coupons', '/api']) {
      const response = await fetch(origin + path);
      expect([response.status, ((await response.json()) as { code: string }).code], path).to.deep.equal([404, 'rest_no_route']);
    }
    const { status, headers } = await client.call('DELETE', '/webhooks/events');
    expect([status, headers.get('Allow')]).to.deep.equal([404, 'GET, HEAD']);
  });

  it('refuses a call without credentials, unless the operation is public', async () => {
    const { status, body, headers } = await stranger.get('/coupons?page=x');
    expect([status, body.code]).to.deep.equal([401, 'svc_api_unauthorized']);
    expect(headers.get('WWW-Authenticate')).to.contain('Bearer');
    expect((await stranger.get('/openapi')).status).to.equal(200);
    expect((await stranger.get('/coupons', { headers: { 'X-Svc-API-Key': 'any' } })).status).to.equal(200);
    expect((await stranger.get('/coupons', { headers: { Authorization: 'Basic YW55' } })).status).to.equal(200);
  });

  it('refuses invalid parameters, naming each', async () => {
    const { status, body } = await client.get('/payouts?per_page=101&from=2026-02-30');
    expect([status, body.code]).to.deep.equal([400, 'rest_invalid_param']);
    expect(body.data.params).to.have.all.keys('per_page', 'from');
    expect((await client.post('/payouts')).body.data.params).to.deep.equal({ coupon_id: 'coupon_id is required.' });
  });

  it('refuses a range that ends before it begins', async () => {
    const { status, body } = await client.get('/payouts?from=2026-10-02&to=2026-10-01');
    expect([status, body.data?.params]).to.deep.equal([400, { from: 'from must not be after to.' }]);
    expect((await client.get('/payouts?from=2026-10-01&to=2026-10-01')).status).to.equal(200);
  });

  it('refuses malformed JSON', async () => {
    for (const raw of ['{', '{"coupon_id":}', 'coupon_id=301', '{"a":1}}', '\u0000'])
      expect(await post(raw), raw).to.deep.equal([400, 'rest_invalid_json']);
  });

  it('accepts 1 MiB of JSON or 64 KiB of a form and no more, with and without Content-Length', async () => {
    const padded = (size: number) => `{"coupon_id":301,"padding":"${'x'.repeat(size - 30)}"}`;
    const chunked = (text: string) => new Blob([text]).stream();
    expect(padded(2 ** 20)).to.have.lengthOf(2 ** 20);
    expect(await post(padded(2 ** 20))).to.equal(201);
    for (const raw of [padded(2 ** 20 + 1), chunked(padded(2 ** 20 + 1)), padded(3 * 2 ** 20)])
      expect(await post(raw)).to.deep.equal([413, 'rest_body_too_large']);
    const form = (size: number) => client.post('/payouts', { form: 'coupon_id=301&padding='.padEnd(size, 'x') });
    expect([(await form(2 ** 16)).status, (await form(2 ** 16 + 1)).status]).to.deep.equal([201, 413]);
  });

  it('accepts JSON with a charset or compressed, and refuses another media type, none, and another encoding', async () => {
    const encoded = (encoding: string) => ({ ...json, 'Content-Encoding': encoding });
    expect(await post(payout, { 'Content-Type': 'application/json; charset=utf-8' })).to.equal(201);
    expect(await post(gzipSync(payout), encoded('gzip'))).to.equal(201);
    expect(await post(payout, encoded('gzip'))).to.deep.equal([400, 'rest_invalid_json']);
    for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/vnd.api+json', 'nonsense'])
      expect(await post(payout, { 'Content-Type': type }), type).to.deep.equal([415, 'rest_unsupported_media_type']);
    for (const headers of [{}, encoded('nonsense')])
      expect(await post(new Blob([payout]).stream(), headers)).to.deep.equal([415, 'rest_unsupported_media_type']);
  });

  it('ignores the body of an operation that has none', async () => {
    expect((await client.post('/webhooks/5/test', { raw: 'anything', headers: { 'Content-Type': 'text/plain' } })).status).to.equal(200);
  });

  it('answers HEAD as GET, without a body', async () => {
    const [head, get] = [await client.call('HEAD', '/coupons'), await client.get('/coupons')];
    expect([head.status, head.body]).to.deep.equal([200, undefined]);
    for (const name of ['content-length', 'content-type', 'x-svc-total'])
      expect(head.headers.get(name), name).to.equal(get.headers.get(name));
  });

  it('lets pages of other origins call, send the headers they need and read every header', async () => {
    const preflight = await fetch(`${origin}/api/v2/payouts`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'http://localhost:5173',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,prefer',
      },
    });
    expect([preflight.status, preflight.headers.get('Access-Control-Allow-Origin')]).to.deep.equal([204, '*']);
    expect(preflight.headers.get('Access-Control-Allow-Methods')).to.equal('GET, PUT, PATCH, POST, DELETE');
    expect(preflight.headers.get('Access-Control-Allow-Headers')).to.equal('authorization,prefer');
    for (const reply of [await client.get('/coupons'), await stranger.get('/coupons'), await client.get('/nothing')]) {
      expect(reply.headers.get('Access-Control-Allow-Origin')).to.equal('*');
      expect(reply.headers.get('Access-Control-Expose-Headers'))
        .to.contain('X-Svc-Total')
        .and.contain('Preference-Applied')
        .and.contain('Retry-After');
    }
  });
});
