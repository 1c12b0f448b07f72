import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { say } from '../attacks/plain-http.ts';
import { abortBody } from '../support/aborted-body.ts';
import { onAnyEngine } from '../support/engines.ts';
import { dropPostgres, makePostgres } from '../support/postgres.ts';
import { startService, TestService, testService } from '../support/service.ts';

const password = 'correct horse battery';

onAnyEngine((engine) => {
  describe('the service', () => {
    const { service } = testService(engine, { hasLimits: true });
    beforeEach(async () => {
      await service.user('boss', 'administrator', { password });
    });

    it('answers an invalid request target in JSON, and accepts an absolute URL', async () => {
      const line = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      expect(await say(service, line('http://[/api/v2/me')))
        .to.match(/^HTTP\/1\.1 404 /)
        .and.include('"code":"rest_no_route"');
      expect(await say(service, line('http://x/api/v2/me'))).to.match(/^HTTP\/1\.1 401 /);
    });

    it('ignores an unknown Expect header', async () => {
      const answer = await say(service, 'GET /api/v2/me HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n');
      expect(answer)
        .to.match(/^HTTP\/1\.1 401 /)
        .and.include('svc_api_unauthorized');
    });

    it('does not check all of many concurrent password guesses: the right one beyond the limit fails too', async () => {
      await service.settings.set('lockout.max_failures', 5);
      const guesses: Response[] = [];
      // Of each round at least two find a place in the queue of an address; the others are refused with 503, which is no failure.
      for (let round = 0; round < 4; round += 1)
        guesses.push(...(await Promise.all(Array.from({ length: 20 }, (_, at) => service.sendSignIn('boss', `wrong ${at}`)))));
      // A checked guess gets the form again; the others are locked out.
      expect(guesses.filter(({ status }) => status === 401)).to.have.length(5);
      expect(await service.signIn('boss', password)).not.to.have.property('svc_session');
    });

    it('does not count a right password against the lock-out', async () => {
      await service.settings.set('lockout.max_failures', 2);
      for (let time = 0; time < 4; time += 1) expect(await service.signIn('boss', password)).to.have.property('svc_session');
    });

    it('answers a malformed sign-in form with a client error', async () => {
      const post = async (headers: Record<string, string>, body: string) =>
        (
          await fetch(`${service.origin}/sign-in`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
            body,
          })
        ).status;
      expect(await post({}, `login=${'a'.repeat(20_000)}`)).to.equal(413);
      expect(await post({ 'Content-Encoding': 'nope' }, 'login=a')).to.equal(415);
      expect(await post({ Cookie: 'svc_form=é' }, 'login=a&password=b&form_token=ab')).to.equal(403);
    });

    it('answers a compressed form whose client disconnects, instead of waiting for its rest for ever', async () => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Encoding': 'gzip' };
      const start = gzipSync('login=boss&password=secret').subarray(0, 15);
      expect(await abortBody(service, '/sign-in', headers, start)).to.deep.equal({ status: 400, level: 40 });
    });

    it('redacts keys and email addresses in paths from the log', async () => {
      const { token } = await service.key(await service.user('two', 'customer'), ['read']);
      await fetch(`${service.origin}/api/v2/keys/${token}/x`);
      await fetch(`${service.origin}/api/v2/person@shop.example`, { headers: { 'X-Request-Id': token } });
      expect(service.log.join('')).not.to.include(token).and.not.to.include('person@shop.example');
    });

    it('sends no-store with responses of the API, and no-cache with the document', async () => {
      const cachingOf = async (path: string) => (await fetch(`${service.origin}/api/v2${path}`)).headers.get('Cache-Control');
      expect([await cachingOf('/me'), await cachingOf('/openapi')]).to.deep.equal(['no-store', 'no-cache']);
    });
  });

  describe('a session in production', () => {
    it('is ignored over plain HTTP at a proxy', async () => {
      const databaseUrl = await engine.freshUrl();
      const local = await startService(engine, { databaseUrl });
      await local.user('boss', 'administrator', { password });
      const { Cookie = '' } = await local.session('boss', password);
      await local.stop();
      const service = await startService(engine, { databaseUrl, env: { ENVIRONMENT: 'production', TRUSTED_PROXIES: '127.0.0.1' } });
      expect((await (await service.client({ Cookie, 'X-Forwarded-Proto': 'http' })).get('/me')).status).to.equal(401);
      expect((await (await service.client({ Cookie: `__Host-${Cookie}`, 'X-Forwarded-Proto': 'https' })).get('/me')).status).to.equal(200);
    });
  });
});

describe('the service without its database', () => {
  it('is alive but not ready', async () => {
    const databaseUrl = await makePostgres();
    const service = await TestService.start({ databaseUrl });
    try {
      await dropPostgres(databaseUrl);
      expect((await fetch(`${service.origin}/healthz`)).status).to.equal(200);
      const ready = await fetch(`${service.origin}/readyz`);
      expect([ready.status, await ready.json()]).to.deep.equal([
        503,
        { status: 'not ready', checks: { database: false, migrations: false } },
      ]);
    } finally {
      await service.stop();
    }
  });
});
