import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ApiOptions, createApi, isApiError } from 'affiliate-program-client';
import { expect } from 'chai';
import { onSqlite, rejectionOf, startClientFixture } from './fixture.ts';

type Refusal = { status: number; headers?: Record<string, string>; body?: object };

const refused = (status: 429 | 503, code: string, retryAfter: number): Refusal => ({
  status,
  headers: { 'Retry-After': String(retryAfter) },
  body: { code, message: 'Too much.', data: { status, retry_after: retryAfter } },
});
const rateLimited = refused(429, 'svc_api_rate_limited', 0);
const byProxy: Refusal = { status: 503, headers: { 'Retry-After': '0' } };

describe('a request that was refused with 429 or 503', () => {
  let refusals: Refusal[] = [];
  let requests: { line: string; body: string; key: string | undefined }[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const key = request.headers['idempotency-key'] as string | undefined;
    requests.push({ line: `${request.method} ${request.url}`, body: await bodyOf(request), key });
    const { status, headers = {}, body = {} } = refusals.shift() ?? { status: 200 };
    response.writeHead(status, headers).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void respond(request, response));
  before((done) => void server.listen(0, '127.0.0.1', done));
  after((done) => {
    server.closeAllConnections();
    server.close(done);
  });
  beforeEach(() => {
    requests = [];
  });
  const api = (options: Pick<ApiOptions, 'retry'> = {}) =>
    createApi({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`, ...options });

  it('is repeated with any method, since the service refuses before it changes anything', async () => {
    refusals = [rateLimited, refused(503, 'svc_api_overloaded', 0)];
    await api().payouts.setStatus(5, { status: 'paid' });
    expect(requests.map(({ line, body }) => `${line} ${body}`)).to.deep.equal(
      Array(3).fill('POST /api/v2/payouts/5/status {"status":"paid"}'),
    );
  });

  it('is repeated after svc_api_db_unreachable only if it is idempotent', async () => {
    refusals = [refused(503, 'svc_api_db_unreachable', 0)];
    await api().me.get();
    refusals = [refused(503, 'svc_api_db_unreachable', 0)];
    await api().payouts.create({ coupon_id: 3 });
    expect(requests).to.have.length(4);
    refusals = [refused(503, 'svc_api_db_unreachable', 0)];
    expect(isApiError(await rejectionOf(api().keys.create({ description: 'once' })), 'svc_api_db_unreachable')).to.equal(true);
    expect(requests).to.have.length(5);
  });

  it('is repeated with the same idempotency key, and each call has a new one', async () => {
    refusals = [rateLimited];
    await api().payouts.create({ coupon_id: 3 });
    await api().payouts.create({ coupon_id: 3 });
    await api().payouts.create({ coupon_id: 3 }, { idempotencyKey: 'mine' });
    const [first, again, second, third] = requests.map(({ key }) => key);
    expect(first).to.be.a('string').with.length.above(20);
    expect([again === first, second === first, third]).to.deep.equal([true, false, 'mine']);
  });

  it('is repeated after the refusal of a proxy only if it is idempotent', async () => {
    refusals = [byProxy];
    await api().me.get();
    refusals = [byProxy];
    await api().keys.delete(4);
    refusals = [byProxy];
    await api().payouts.create({ coupon_id: 3 });
    expect(requests).to.have.length(6);
    refusals = [byProxy];
    expect(isApiError(await rejectionOf(api().keys.create({ description: 'once' })), 'unexpected_answer')).to.equal(true);
    expect(requests).to.have.length(7);
  });

  it('is not repeated more often than the policy allows, nor with retry: false, nor without a time to wait', async () => {
    refusals = [rateLimited, rateLimited, rateLimited];
    const error = await rejectionOf(api().me.get());
    expect(isApiError(error, 'svc_api_rate_limited') && error.data.retry_after).to.equal(0);
    expect(requests).to.have.length(3);
    refusals = [rateLimited];
    await rejectionOf(api({ retry: false }).me.get());
    refusals = [{ status: 503 }];
    await rejectionOf(api().me.get());
    refusals = [{ status: 500, headers: { 'Retry-After': '0' } }];
    await rejectionOf(api().me.get());
    expect(requests).to.have.length(6);
  });

  it('is not repeated before the requested time has passed', async () => {
    refusals = [refused(429, 'svc_api_rate_limited', 0.2)];
    const before = performance.now();
    await api().me.get();
    expect(performance.now() - before).to.be.above(190);
  });

  it('fails at once if the requested time is longer than the policy allows', async () => {
    refusals = [refused(429, 'svc_api_too_many_auth_failures', 412)];
    const error = await rejectionOf(api().me.get());
    expect(isApiError(error, 'svc_api_too_many_auth_failures') && error.data.retry_after).to.equal(412);
  });

  it('fails when the signal is aborted during the wait', async () => {
    refusals = [refused(429, 'svc_api_rate_limited', 3600)];
    const controller = new AbortController();
    const fetch = async (request: Request): Promise<Response> => {
      const response = await globalThis.fetch(request);
      setTimeout(() => controller.abort(new Error('left')), 20);
      return response;
    };
    const call = createApi({ baseUrl: api().baseUrl, fetch, retry: { longestSeconds: 7200 } }).me.get({ signal: controller.signal });
    const error = await rejectionOf(call);
    expect(isApiError(error, 'aborted') && error.cause).to.have.property('message', 'left');
    expect(requests).to.have.length(1);
  });
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

onSqlite((engine) => {
  describe('the rate limit of a running service', () => {
    it('makes the client wait for the requested time and repeat the request', async () => {
      const { service, baseUrl, adminToken } = await startClientFixture(engine);
      await service.settings.set('limits.authenticated', 1);
      const waits: number[] = [];
      /** Moves the clock of the service by the requested time instead of waiting. */
      const fetchAndAdvance = async (request: Request): Promise<Response> => {
        const response = await fetch(request);
        if (response.status !== 429) return response;
        const body = (await response.json()) as { data: { retry_after: number } };
        waits.push(body.data.retry_after);
        (service.clock as { advance?(seconds: number): void }).advance?.(body.data.retry_after);
        return Response.json({ ...body, data: { ...body.data, retry_after: 0 } }, response);
      };
      const api = createApi({ baseUrl, token: adminToken, fetch: fetchAndAdvance });
      await api.me.get();
      expect((await api.keys.create({ description: 'the second within a minute' })).token).to.be.a('string');
      expect(waits).to.deep.equal([60]);
      await service.stop();
    });
  });
});
