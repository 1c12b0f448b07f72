import { expect } from 'chai';
import { theContract } from '../support/contract.ts';
import { onAnyEngine } from '../support/engines.ts';
import { cookiesOf, TestService } from '../support/service.ts';
import { openAttackedStore, password } from './attacked-store.ts';
import { allOperations, requestFor } from './contract-requests.ts';
import { onOneEngine } from './one-engine.ts';
import { ask, codeOf, say } from './plain-http.ts';

const forged = ['X-Forwarded-For', 'X-Real-IP', 'True-Client-IP', 'CF-Connecting-IP', 'X-Client-IP', 'X-Cluster-Client-IP'];

onOneEngine((engine) => {
  describe('API8:2023 Security Misconfiguration: untrusted proxies', () => {
    let service: TestService;
    afterEach(() => service.stop());
    const start = async (env: Record<string, string> = {}) => {
      service = await TestService.start({ databaseUrl: await engine.freshUrl(), env: { ENVIRONMENT: 'production', ...env } });
      return service.user('boss', 'administrator', { password });
    };
    const https = {
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Ssl': 'on',
      'Front-End-Https': 'on',
      Forwarded: 'for=1.2.3.4;proto=https',
      'X-Url-Scheme': 'https',
    };
    const addresses = (text: string) => Object.fromEntries(forged.map((name) => [name, text]));

    it('cannot make plain HTTP count as encrypted: no key, no password, no session, no cookie', async () => {
      const boss = await start();
      for (const headers of [(await service.key(boss, ['read'])).headers, await service.appPassword(boss)])
        expect(codeOf(await ask(service, '/api/v2/me', { headers: { ...headers, ...https } }))).to.equal('svc_api_https_required');
      const form = await ask(service, '/sign-in', { headers: https });
      expect([form.status, form.headers['set-cookie']]).to.deep.equal([403, undefined]);
      for (const [name, value] of Object.entries(https))
        if (/^(x-)?forwarded/i.test(name))
          expect(cookiesOf(await service.sendSignIn('boss', password, { [name]: value })), name).to.deep.equal({});
    });

    it('cannot set another client address, so that their failures are locked out', async () => {
      await start({ ENVIRONMENT: 'local' });
      await service.settings.set('lockout.max_failures', 3);
      const wrong = async (at: number) =>
        (await ask(service, '/api/v2/me', { headers: { Authorization: 'Bearer svc_wrong', ...addresses(`203.0.113.${at}`) } })).status;
      const statuses: number[] = [];
      for (let at = 1; at <= 5; at += 1) statuses.push(await wrong(at));
      expect(statuses).to.deep.equal([401, 401, 401, 429, 429]);
      expect(service.log.join('')).not.to.include('203.0.113.');
    });

    it('get Strict-Transport-Security for a year over HTTPS only', async () => {
      await start({ TRUSTED_PROXIES: '127.0.0.1' });
      for (const target of ['/api/v2/me', '/healthz', '/sign-in', '/nowhere']) {
        const hsts = async (scheme: string) =>
          (await ask(service, target, { headers: { 'X-Forwarded-Proto': scheme } })).headers['strict-transport-security'];
        expect([await hsts('https'), await hsts('http')], target).to.deep.equal(['max-age=31536000', undefined]);
      }
    });

    it('cannot name two hosts', async () => {
      await start();
      const call = (...hosts: string[]) =>
        say(service, `GET /healthz HTTP/1.1\r\n${hosts.map((host) => `hOsT: ${host}\r\n`).join('')}Connection: close\r\n\r\n`);
      expect(await call('a.example')).to.match(/^HTTP\/1\.1 200 /);
      for (const hosts of [['a.example', 'b.example'], ['a.example', 'a.example'], []])
        expect(await call(...hosts)).to.match(/^HTTP\/1\.1 400 [^]*\{"code":"rest_invalid_param"/);
    });

    it('get cookies with HttpOnly, SameSite and Secure', async () => {
      await start({ TRUSTED_PROXIES: '127.0.0.1' });
      const headers = { 'X-Forwarded-Proto': 'https' };
      const form = await ask(service, '/sign-in', { headers });
      const token = /name="form_token" value="([^"]+)"/.exec(form.body)?.[1] ?? '';
      const body = new URLSearchParams({ login: 'boss', password, form_token: token }).toString();
      const signedIn = await ask(service, '/sign-in', {
        method: 'POST',
        body,
        headers: { ...headers, Cookie: `__Host-svc_form=${token}`, 'Content-Type': 'application/x-www-form-urlencoded' },
      });
      const cookies = [form, signedIn].flatMap((answer) => answer.headers['set-cookie'] ?? []);
      expect(cookies).to.have.length(4);
      for (const cookie of cookies) {
        expect(cookie)
          .to.match(/; samesite=(lax|strict)/)
          .and.match(/; secure/)
          .and.not.match(/Domain=/i);
        // The page reads this one, and sends it back in a header: that is what it is for.
        if (!cookie.startsWith('__Host-svc_csrf=')) expect(cookie).to.match(/; httponly/);
      }
      for (const answer of [form, signedIn])
        expect(answer.headers)
          .to.include({ 'cache-control': 'no-store' })
          .and.property('content-security-policy')
          .include("frame-ancestors 'none'");
    });
  });
});

onAnyEngine((engine) => {
  describe('API8:2023 Security Misconfiguration: a database that fails', () => {
    it('causes errors that disclose nothing about the database, the files or the code', async () => {
      const contract = await theContract();
      const broken = await openAttackedStore(engine);
      try {
        const observer = await engine.observe(broken.service.databaseUrl);
        await observer.query(engine.name === 'postgres' ? 'drop table webhooks cascade' : 'drop table webhooks');
        await observer.query('alter table api_keys drop column description');
        const headers = await broken.service.appPassword(broken.users.boss);
        for (const operationId of allOperations) {
          const { target, ...request } = requestFor(contract, operationId, 1);
          const { body } = await ask(broken.service, target, { ...request, headers: { ...request.headers, ...headers } });
          if (operationId !== 'get_openapi')
            expect(body, operationId).not.to.match(
              /select |insert |sqlite|postgres|no such table|relation|column|\bat [^"]*:\d+|node_modules|\/dev\/shm|typeorm|stack"/i,
            );
        }
        const failed = await ask(broken.service, '/api/v2/keys', { headers });
        expect([failed.status, codeOf(failed)]).to.deep.equal([500, 'svc_api_db_error']);
      } finally {
        await broken.service.stop();
      }
    });
  });
});
