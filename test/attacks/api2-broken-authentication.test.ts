import { expect } from 'chai';
import type { User } from '../../domain/users/user.ts';
import { onAnyEngine } from '../support/engines.ts';
import { TestService } from '../support/service.ts';
import { password } from './attacked-store.ts';
import { ask } from './plain-http.ts';

const basic = (name: string, secret: string): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
});

onAnyEngine((engine) => {
  describe('API2:2023 Broken Authentication', () => {
    let service: TestService;
    let user: User;
    beforeEach(async () => {
      service = await (await TestService.start({ databaseUrl: await engine.freshUrl() })).withoutLimits();
      user = await service.user('boss', 'administrator', { password });
    });
    afterEach(() => service.stop());

    const me = async (headers: Record<string, string>) => (await ask(service, '/api/v2/me', { headers })).status;

    it('refuses a change by an application password that a page of another site sends, unless cors.origins lists the page', async () => {
      const headers = await service.appPassword(user);
      const status = async (more: Record<string, string>, method = 'POST') => {
        const sent = { ...headers, ...more, 'Content-Type': 'application/json' };
        return (await ask(service, '/api/v2/keys', { method, headers: sent, ...(method === 'POST' && { body: '{"scopes":["read"]}' }) }))
          .status;
      };
      const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
      expect([await status(foreign), await status(foreign, 'GET'), await status({})]).to.deep.equal([403, 200, 201]);
      for (const site of ['same-origin', 'none']) expect(await status({ 'Sec-Fetch-Site': site })).to.equal(201);
      await service.settings.set('cors.origins', ['https://evil.example']);
      expect(await status(foreign)).to.equal(201);
    });

    it('runs the same statements for a known and for an unknown name, so that the response time does not reveal which names exist', async () => {
      await service.appPassword(user);
      const statements: string[] = [];
      const onStatement = (sql: string): void => void statements.push(sql);
      const watched = await TestService.start({ databaseUrl: service.databaseUrl, onStatement });
      const failing = async (name: string): Promise<string[]> => {
        statements.length = 0;
        const { status } = await ask(watched, '/api/v2/me', { headers: basic(name, 'AAAA BBBB CCCC DDDD EEEE FFFF') });
        expect(status).to.equal(401);
        return statements.filter((sql) => sql.includes('users'));
      };
      try {
        await failing('boss');
        const ofKnown = await failing('boss');
        expect(ofKnown).to.have.length(1);
        for (const name of ['unknown', 'unknown@shop.example', user.email, 'without'])
          expect(await failing(name), name).to.deep.equal(ofKnown);
      } finally {
        await watched.stop();
      }
    });

    it('accepts a key only literally: no other case, no part, nothing around it', async () => {
      const { token } = await service.key(user, ['read']);
      const wrong = [
        token.toUpperCase(),
        token.slice(0, -1),
        `${token}0`,
        token.slice(4),
        `${token},${token}`,
        `"${token}"`,
        `${token}\t.`,
      ];
      for (const other of [...wrong, '', '*', '%', "' or '1'='1", `svc_${'%'.repeat(40)}`, 'null', 'undefined'])
        for (const headers of [{ Authorization: `Bearer ${other}` }, { 'X-Svc-API-Key': other }])
          expect(await me(headers), JSON.stringify(headers)).to.equal(401);
      // What is stored of it opens nothing either.
      const observer = await engine.observe(service.databaseUrl);
      const [{ hash, prefix } = { hash: '', prefix: '' }] = await observer.query<{ hash: string; prefix: string }>(
        'select hash, prefix from api_keys',
      );
      for (const stored of [hash, prefix, `svc_${hash.slice(0, 40)}`])
        expect(await me({ Authorization: `Bearer ${stored}` })).to.equal(401);
      expect(await me({ Authorization: `bEaReR ${token}` })).to.equal(200);
    });

    it('accepts no credentials from the URL, a body or another header', async () => {
      const { token } = await service.key(user, ['read']);
      const names = ['token', 'access_token', 'api_key', 'apikey', 'key', 'Authorization', 'X-Svc-API-Key', 'svc_session', 'bearer'];
      const query = names.map((name) => `${name}=${token}`).join('&');
      expect((await ask(service, `/api/v2/me?${query}`)).status).to.equal(401);
      expect((await ask(service, `http://boss:${token}@127.0.0.1/api/v2/me`)).status).to.equal(401);
      const headers = {
        'X-API-Key': token,
        'Proxy-Authorization': `Bearer ${token}`,
        'X-Authorization': `Bearer ${token}`,
        Cookie: `token=${token}; svc_session=${token}`,
      };
      expect(await me(headers)).to.equal(401);
      expect(service.log.join('')).not.to.include(token);
    });

    it('answers an unknown name exactly like a wrong password', async () => {
      const answer = async (headers: Record<string, string>) => {
        const { status, body } = await ask(service, '/api/v2/me', { headers });
        return [status, body];
      };
      expect(await answer(basic('boss', 'wrong'))).to.deep.equal(await answer(basic('unknown', 'wrong')));
      const page = async (login: string) => (await signInWith(login, 'wrong')).replaceAll(/value="[^"]+"/g, '');
      expect(await page('boss')).to.equal(await page('unknown'));
    });

    it('accepts an application password only literally, and never the password of the sign-in page', async () => {
      const { Authorization = '' } = await service.appPassword(user);
      const secret = Buffer.from(Authorization.slice(6), 'base64').toString().slice('boss:'.length);
      expect(await me(basic('BOSS@shop.example', secret.replaceAll(' ', '')))).to.equal(200);
      const swapped = secret.replaceAll(/[a-z]/gi, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      );
      for (const wrong of [swapped, secret.slice(0, -1), '', password, `${secret}\0`])
        expect(await me(basic('boss', wrong)), wrong).to.equal(401);
      expect(await me(basic('', secret))).to.equal(401);
    });

    async function signInWith(login: string, secret: string): Promise<string> {
      const form = await ask(service, '/sign-in');
      const token = /name="form_token" value="([^"]+)"/.exec(form.body)?.[1] ?? '';
      const body = new URLSearchParams({ login, password: secret, form_token: token });
      return (await fetch(`${service.origin}/sign-in`, { method: 'POST', body, headers: { Cookie: `svc_form=${token}` } })).text();
    }
  });
});
