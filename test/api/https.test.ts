import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { startService, suiteService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('credentials in production', () => {
    const { service } = suiteService(engine, { env: { ENVIRONMENT: 'production', TRUSTED_PROXIES: '127.0.0.1' } });
    const user = suiteFixture(() => service.user('boss', 'administrator', { password: 'correct horse battery' }));

    it('are rejected over plain HTTP, keys and passwords, right or wrong', async () => {
      const right = await service.key(user, ['read']);
      for (const headers of [
        right.headers,
        { 'X-Svc-API-Key': right.token },
        await service.appPassword(user),
        { Authorization: 'Bearer wrong' },
      ]) {
        const { status, body } = await (await service.client(headers)).get('/me');
        expect([status, body.code]).to.deep.equal([401, 'svc_api_https_required']);
        expect(body.message).to.include('start it with ENVIRONMENT=local');
      }
    });

    it('are accepted if the right-most X-Forwarded-Proto of a trusted proxy is https', async () => {
      const { headers } = await service.key(user, ['read']);
      const call = async (proto: string) => (await (await service.client({ ...headers, 'X-Forwarded-Proto': proto })).get('/me')).status;
      expect(await call('https')).to.equal(200);
      const https = await service.client({ ...headers, 'X-Forwarded-Proto': 'https' });
      const { headers: answered } = await https.get('/me?per_pages=3');
      expect(answered.get('X-Svc-Ignored'), 'in production').to.equal(null);
      expect(await call('http, https')).to.equal(200);
      expect(await call('https, http')).to.equal(401);
    });

    it('start a session with a Secure cookie', async () => {
      const answer = await service.sendSignIn('boss', 'correct horse battery', { 'X-Forwarded-Proto': 'https' });
      const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('__Host-svc_session=')) ?? '';
      expect(cookie).to.match(/^__Host-svc_session=[^;]+; path=\/; samesite=lax; secure; httponly$/);
    });
  });

  describe('a forged proxy header', () => {
    it('is ignored from a peer that is not a trusted proxy', async () => {
      const service = await startService(engine, { env: { ENVIRONMENT: 'production' } });
      const { headers } = await service.key(await service.user('boss', 'administrator'), ['read']);
      const { body } = await (await service.client({ ...headers, 'X-Forwarded-Proto': 'https' })).get('/me');
      expect(body.code).to.equal('svc_api_https_required');
    });
  });
});
