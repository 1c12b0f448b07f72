import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { startService, testService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('the rate limit', () => {
    const { service, clock } = testService(engine, { hasLimits: true });

    const statuses = async (count: number, call: () => Promise<{ status: number }>): Promise<Record<number, number>> => {
      const seen: Record<number, number> = {};
      for (const { status } of await Promise.all(Array.from({ length: count }, call))) seen[status] = (seen[status] ?? 0) + 1;
      return seen;
    };

    it('allows exactly 120 of 200 parallel requests of one key', async () => {
      const { headers } = await service.key(await service.user('one', 'customer'), ['read']);
      const client = await service.client(headers);
      expect(await statuses(200, () => client.get('/me'))).to.deep.equal({ 200: 120, 429: 80 });
    });

    it('allows exactly 30 of 50 parallel anonymous requests, whatever their path', async () => {
      const client = await service.client();
      expect(await statuses(50, () => client.get('/openapi'))).to.deep.equal({ 200: 30, 429: 20 });
    });

    it('answers 429 with Retry-After of a minute, and serves the caller again after it', async () => {
      await service.settings.set('limits.anonymous', 1);
      const client = await service.client();
      await client.get('/openapi');
      const { status, body, headers } = await client.get('/openapi');
      expect(status).to.equal(429);
      expect(body).to.deep.include({ code: 'svc_api_rate_limited', data: { status: 429, retry_after: 60 } });
      expect(headers.get('Retry-After')).to.equal('60');
      clock.advance(59);
      expect((await client.get('/openapi')).status).to.equal(429);
      clock.advance(1);
      expect((await client.get('/openapi')).status).to.equal(200);
    });

    it('is described by the headers of every response', async () => {
      const { headers } = await service.key(await service.user('one', 'customer'), ['read']);
      const client = await service.client(headers);
      await client.get('/me');
      clock.advance(37);
      const answer = await client.get('/me');
      expect(answer.headers.get('RateLimit-Policy')).to.equal('"auth";q=120;w=60');
      expect(answer.headers.get('RateLimit')).to.equal('"auth";r=118;t=23');
    });

    it('counts malformed requests, unknown routes and rejected bodies too', async () => {
      const { headers } = await service.key(await service.user('one', 'administrator'), ['manage']);
      const client = await service.client(headers);
      await client.get('/nothing');
      await client.get('/keys?page=0');
      await client.post('/keys', { raw: '{', headers: { 'Content-Type': 'application/json' } });
      expect((await client.get('/me')).headers.get('RateLimit')).to.match(/;r=116;/);
    });

    it('counts each identity separately: two keys of one user do not share a budget', async () => {
      const user = await service.user('one', 'customer');
      const first = await service.clientOf(user, ['read']);
      const second = await service.clientOf(user, ['read']);
      await first.get('/me');
      expect((await second.get('/me')).headers.get('RateLimit')).to.match(/;r=119;/);
    });

    it('follows a change of the setting at once, and prefers the site module to the setting', async () => {
      const doubled = await startService(engine, { siteModule: { rateCeiling: (_identity, ceiling) => ceiling * 2 } });
      await doubled.settings.set('limits.anonymous', 7);
      const { headers } = await (await doubled.client()).get('/openapi');
      expect(headers.get('RateLimit-Policy')).to.equal('"anonymous";q=14;w=60');
    });
  });

  describe('the lock-out', () => {
    const { service, clock } = testService(engine, { env: { TRUSTED_PROXIES: '127.0.0.1' }, hasLimits: true });

    const wrongKey = (address: string) => ({ Authorization: 'Bearer svc_wrong', 'X-Forwarded-For': address });
    const fail = async (address: string) => (await service.client(wrongKey(address))).get('/me');

    it('answers 20 of 40 parallel failures as failed, and locks the address out', async () => {
      const codes = (await Promise.all(Array.from({ length: 40 }, () => fail('203.0.113.1')))).map(({ body }) => body.code);
      expect(codes.filter((code) => code === 'svc_api_invalid_key')).to.have.length(20);
      expect(codes.filter((code) => code === 'svc_api_too_many_auth_failures')).to.have.length(20);
    });

    it('rejects a right key as well, with the remaining time, until the window is over', async () => {
      const { headers } = await service.key(await service.user('one', 'customer'), ['read']);
      const client = await service.client({ ...headers, 'X-Forwarded-For': '203.0.113.1' });
      for (let time = 0; time < 20; time += 1) await fail('203.0.113.1');
      clock.advance(100);
      const { status, body, headers: answered } = await client.get('/me');
      expect([status, body.code, body.data.retry_after]).to.deep.equal([429, 'svc_api_too_many_auth_failures', 800]);
      expect(answered.get('Retry-After')).to.equal('800');
      clock.advance(800);
      expect((await client.get('/me')).status).to.equal(200);
    });

    it('does not affect another address, but the whole /64 network of an IPv6 address', async () => {
      const { headers } = await service.key(await service.user('one', 'customer'), ['read']);
      for (let time = 0; time < 20; time += 1) await fail(`2001:db8:1:2::${time}`);
      const from = async (address: string) => (await (await service.client({ ...headers, 'X-Forwarded-For': address })).get('/me')).status;
      expect(await from('2001:db8:1:3::1')).to.equal(200);
      expect(await from('2001:db8:1:2:ffff::1')).to.equal(429);
    });

    it('does not count missing credentials, and failures do not count against the rate limit', async () => {
      const anonymous = await service.client({ 'X-Forwarded-For': '203.0.113.1' });
      for (let time = 0; time < 25; time += 1) await anonymous.get('/me');
      expect((await fail('203.0.113.1')).body.code).to.equal('svc_api_invalid_key');
      expect((await anonymous.get('/openapi')).headers.get('RateLimit')).to.match(/;r=4;/);
    });

    it('counts wrong passwords and failed sign-ins together with wrong keys', async () => {
      await service.settings.set('lockout.max_failures', 2);
      const basic = { Authorization: `Basic ${Buffer.from('unknown:wrong').toString('base64')}` };
      expect((await (await service.client(basic)).get('/me')).body.code).to.equal('svc_api_unauthorized');
      expect(await service.signIn('unknown', 'wrong')).not.to.have.property('svc_session');
      expect((await (await service.client(basic)).get('/me')).status).to.equal(429);
    });

    it('is off when its threshold is 0', async () => {
      await service.settings.set('lockout.max_failures', 0);
      for (let time = 0; time < 25; time += 1) expect((await fail('203.0.113.1')).status).to.equal(401);
    });
  });
});
