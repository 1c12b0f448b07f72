import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { cookiesOf, TestService } from '../support/service.ts';
import { password } from './attacked-store.ts';
import { onOneEngine } from './one-engine.ts';
import { ask } from './plain-http.ts';

onOneEngine((engine) => {
  describe('API2:2023 Broken Authentication: sessions', () => {
    let service: TestService;
    before(async () => {
      service = await TestService.start({ databaseUrl: await engine.freshUrl() });
      await service.user('boss', 'administrator', { password });
    });
    after(() => service.stop());

    const me = async (headers: Record<string, string>) => (await ask(service, '/api/v2/me', { headers })).status;

    it('never adopts a session that an attacker planted, and creates a new one with every sign-in', async () => {
      const planted = 'A'.repeat(43);
      const first = await service.signIn('boss', password);
      const second = await signInCookies(`svc_session=${planted}; svc_session=${first['svc_session']}`);
      const known = [planted, first['svc_session'], first['svc_csrf']];
      expect(known).not.to.include(second['svc_session']).and.not.to.include(second['svc_csrf']);
      expect(await me({ Cookie: `svc_session=${planted}` })).to.equal(401);
      expect(await me({ Cookie: `svc_session=${second['svc_session']}` })).to.equal(200);
    });

    it('deletes a session on the server when its user signs out, and no other', async () => {
      const [one, other] = [await service.signIn('boss', password), await service.signIn('boss', password)];
      const Cookie = `svc_session=${one['svc_session']}`;
      const body = `token=${one['svc_csrf']}`;
      await ask(service, '/sign-out', { method: 'POST', body, headers: { Cookie, 'Content-Type': 'application/x-www-form-urlencoded' } });
      expect([await me({ Cookie }), await me({ Cookie: `svc_session=${other['svc_session']}` })]).to.deep.equal([401, 200]);
    });

    it('accepts the CSRF token of one session for no other session, nor a part of it', async () => {
      const [one, other] = [await service.session('boss', password), await service.session('boss', password)];
      const { 'X-Svc-CSRF': token = '' } = one;
      const post = async (csrf: string) =>
        (await ask(service, '/api/v2/keys', { method: 'POST', headers: { Cookie: one['Cookie'] ?? '', 'X-Svc-CSRF': csrf } })).status;
      for (const wrong of ['', token.slice(1), `${token}=`, token.toLowerCase(), other['X-Svc-CSRF'] ?? '', 'é'.repeat(token.length)])
        expect(await post(wrong), wrong).to.equal(403);
      expect(await post(token)).to.equal(201);
    });

    async function signInCookies(cookies: string): Promise<Record<string, string>> {
      const { body: form } = await ask(service, '/sign-in');
      const token = /name="form_token" value="([^"]+)"/.exec(form)?.[1] ?? '';
      const body = new URLSearchParams({ login: 'boss', password, form_token: token });
      const headers = { Cookie: `${cookies}; svc_form=${token}` };
      return cookiesOf(await fetch(`${service.origin}/sign-in`, { method: 'POST', body, headers, redirect: 'manual' }));
    }
  });
});

describe('API2:2023 Broken Authentication: comparing secrets', () => {
  // How long a comparison takes cannot be asserted on a busy machine; how it is made can.
  const compared = [
    ['domain/users/password.ts', 'timingSafeEqual(derived'],
    ['domain/users/app-password.ts', 'timingSafeEqual(given'],
    ['domain/webhooks/signature.ts', 'timingSafeEqual'],
    ['server/pages/sign-in.ts', 'isSameSecret'],
    ['server/auth/session-guard.ts', 'isSameSecret'],
    // A key and a session are found by their hash: what an attacker can vary is not what is compared.
    ['server/auth/authenticator.ts', 'hashToken(token)'],
  ] as const;
  for (const [file, by] of compared)
    it(`${file} compares by ${by}, and no secret by ===`, () => {
      const source = readFileSync(file, 'utf8');
      expect(source).to.include(by);
      expect(source).not.to.match(/[!=]==\s*[\w.]*(csrfToken|secret|password)\b|\b(csrfToken|secret|password)\s*[!=]==(?! undefined)/i);
    });
});
