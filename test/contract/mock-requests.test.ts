import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import type { ContractClient } from '../support/contract-client.ts';
import { type RunningMock, startMock } from '../support/mock-server.ts';

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

  describe('refuses, as the contract does,', () => {
    it('an unknown path, inside and outside the namespace', async () => {
      expect(await stranger.get('/nothing')).to.deep.include({ status: 404 });
      for (const path of ['/nothing', '/api/v1/coupons', '/api']) {
        const response = await fetch(origin + path);
        expect([response.status, ((await response.json()) as { code: string }).code], path).to.deep.equal([404, 'rest_no_route']);
      }
    });

    it('another method on a known path, with the allowed ones', async () => {
      const { status, headers } = await client.call('DELETE', '/webhooks/events');
      expect([status, headers.get('Allow')]).to.deep.equal([404, 'GET, HEAD']);
    });

    it('invalid percent-encoding and an invalid request line', async () => {
      for (const path of ['/api/v2/coupons/%C3', '/api/v2/coupons/%', '//api/v2/coupons']) {
        const sent = request(origin, { path, headers: { Authorization: 'Bearer any' } }).end();
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        response.resume();
        expect(response.statusCode, path).to.equal(404);
      }
    });

    it('a call without credentials, unless the operation is public', async () => {
      const { status, body, headers } = await stranger.get('/coupons?page=x');
      expect([status, body.code]).to.deep.equal([401, 'svc_api_unauthorized']);
      expect(headers.get('WWW-Authenticate')).to.contain('Bearer');
      expect((await stranger.get('/openapi')).status).to.equal(200);
      expect((await stranger.get('/coupons', { headers: { 'X-Svc-API-Key': 'any' } })).status).to.equal(200);
      expect((await stranger.get('/coupons', { headers: { Authorization: 'Basic YW55' } })).status).to.equal(200);
    });

    it('invalid parameters, with a sentence for each', async () => {
      const { status, body } = await client.get('/payouts?per_page=101&from=2026-02-30');
      expect([status, body.code]).to.deep.equal([400, 'rest_invalid_param']);
      expect(body.data.params).to.deep.equal({
        per_page: 'per_page must be between 1 and 100.',
        from: 'from must be a day that exists, written YYYY-MM-DD.',
      });
      expect((await client.get('/coupons/abc')).body.data.params).to.deep.equal({ id: 'id must be an integer.' });
      expect((await client.post('/payouts')).body.data.params).to.deep.equal({ coupon_id: 'coupon_id is required.' });
    });
  });

  it('answers HEAD as GET, without a body', async () => {
    const [head, get] = [await client.call('HEAD', '/coupons'), await client.get('/coupons')];
    expect([head.status, head.body]).to.deep.equal([200, undefined]);
    for (const name of ['content-length', 'content-type', 'x-svc-total'])
      expect(head.headers.get(name), name).to.equal(get.headers.get(name));
    expect((await client.call('HEAD', '/coupons/abc')).status).to.equal(400);
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
    expect(preflight.headers.get('Access-Control-Allow-Methods')).to.equal('GET, POST, DELETE, PATCH');
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
