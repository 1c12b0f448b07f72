import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { PageVisitor } from '../support/page-visitor.ts';
import { formerHash } from '../support/password-cost.ts';
import { cookiesOf, testService } from '../support/service.ts';

const password = 'correct horse battery';

onAnyEngine((engine) => {
  describe('a session', () => {
    const { service, clock } = testService(engine, { hasLimits: true });
    beforeEach(async () => {
      await service.user('boss', 'administrator', { password });
    });

    it('identifies a person who signed in, by login or by email', async () => {
      for (const name of ['boss', 'BOSS@shop.example']) {
        const { Cookie } = await service.session(name, password);
        const { body } = await (await service.client({ Cookie: Cookie ?? '' })).get('/me');
        expect(body.auth).to.deep.equal({ method: 'session', key_id: null, scopes: null });
      }
    });

    it('begins with the password of a former version too, whose hash is then replaced by one at the cost of today', async () => {
      const { id } = await service.user('old', 'affiliate');
      await service.storage.write(({ users }) => users.setPasswordHash(id, formerHash(password)));
      await service.session('old', password);
      await service.flush();
      expect(await service.storage.query(({ users }) => users.passwordHashOf(id))).to.match(/^scrypt\$N=\d+,r=8,p=3\$/);
      const { Cookie = '' } = await service.session('old', password);
      expect((await (await service.client({ Cookie })).get('/me')).body.user.login).to.equal('old');
    });

    it('cannot change anything without the CSRF header, or with a wrong one', async () => {
      const { Cookie = '', ...csrf } = await service.session('boss', password);
      for (const headers of [{ Cookie }, { Cookie, 'X-Svc-CSRF': 'wrong' }])
        expect((await (await service.client(headers)).post('/keys')).body.code).to.equal('svc_api_csrf_failed');
      expect((await (await service.client({ Cookie, ...csrf })).post('/keys')).status).to.equal(201);
    });

    it('is ignored beside a key, which needs no CSRF header', async () => {
      const { Cookie = '' } = await service.session('boss', password);
      const { headers } = await service.key(await service.user('two', 'administrator'), ['manage']);
      expect((await (await service.client({ ...headers, Cookie })).post('/keys', { json: { scopes: ['manage'] } })).status).to.equal(201);
    });

    it('ends on the server when the person signs out', async () => {
      const cookies = await service.signIn('boss', password);
      const Cookie = `svc_session=${cookies['svc_session']}`;
      const body = new URLSearchParams({ token: cookies['svc_csrf'] ?? '' });
      await fetch(`${service.origin}/sign-out`, { method: 'POST', body, headers: { Cookie }, redirect: 'manual' });
      expect((await (await service.client({ Cookie })).get('/me')).body.code).to.equal('svc_api_unauthorized');
    });

    it('ends by a POST to sign-out with the CSRF header that the refusal names, and not with a wrong one', async () => {
      const { Cookie = '', ...csrf } = await service.session('boss', password);
      const signOut = (headers: Record<string, string>) =>
        fetch(`${service.origin}/sign-out`, { method: 'POST', headers: { Cookie, ...headers }, redirect: 'manual' });
      expect((await signOut({ 'X-Svc-CSRF': 'wrong' })).status).to.equal(403);
      expect((await signOut(csrf)).status).to.equal(303);
      expect((await (await service.client({ Cookie })).get('/me')).body.code).to.equal('svc_api_unauthorized');
    });

    it('shows at /sign-in who is signed in, with a button that signs out', async () => {
      const { Cookie = '' } = await service.session('boss', password);
      const html = await (await fetch(`${service.origin}/sign-in`, { headers: { Cookie } })).text();
      expect(html).to.include('You are signed in as The boss.').and.not.to.include('name="password"');
      const body = new URLSearchParams({ token: /action="\/sign-out".*name="token" value="([^"]+)"/.exec(html)?.[1] ?? '' });
      await fetch(`${service.origin}/sign-out`, { method: 'POST', body, headers: { Cookie }, redirect: 'manual' });
      const after = await fetch(`${service.origin}/sign-in`, { headers: { Cookie } });
      expect(await after.text()).to.include('name="password"');
    });

    it('redirects from /sign-in back to the page that linked to it', async () => {
      const { Cookie = '' } = await service.session('boss', password);
      const answer = await fetch(`${service.origin}/sign-in?to=%2Fdocs`, { headers: { Cookie }, redirect: 'manual' });
      expect([answer.status, answer.headers.get('Location')]).to.deep.equal([303, '/docs']);
    });

    it('is not ended by a POST to sign-out from another site', async () => {
      const { Cookie = '' } = await service.session('boss', password);
      await fetch(`${service.origin}/sign-out`, { method: 'POST', headers: { Cookie }, redirect: 'manual' });
      expect((await (await service.client({ Cookie })).get('/me')).status).to.equal(200);
    });

    it('ends after twelve hours', async () => {
      const { Cookie = '' } = await service.session('boss', password);
      clock.advance(12 * 60 * 60 - 1);
      expect((await (await service.client({ Cookie })).get('/me')).status).to.equal(200);
      clock.advance(1);
      expect((await (await service.client({ Cookie })).get('/me')).status).to.equal(401);
    });

    it('counts as confirmed for the ten minutes after a sign-in with the password', async () => {
      const client = await service.client(await service.session('boss', password));
      clock.advance(599);
      expect((await client.post('/keys')).status).to.equal(201);
      clock.advance(1);
      expect((await client.post('/keys')).body.code).to.equal('svc_api_confirm_password');
    });

    it('starts with a new secret, so that a cookie set before sign-in is worthless', async () => {
      const answer = await service.sendSignIn('boss', password, { Cookie: 'svc_session=planted' });
      expect(cookiesOf(answer)['svc_session']).to.match(/^[A-Za-z0-9_-]{43}$/);
      expect((await (await service.client({ Cookie: 'svc_session=planted' })).get('/me')).status).to.equal(401);
    });

    it('cannot be started from another site, nor with a wrong password', async () => {
      const body = new URLSearchParams({ login: 'boss', password, form_token: 'guessed' });
      const forged = await fetch(`${service.origin}/sign-in`, { method: 'POST', body, headers: { Cookie: 'svc_form=other00' } });
      expect([forged.status, cookiesOf(forged)]).to.satisfy(
        ([status, cookies]: [number, object]) => status === 403 && !('svc_session' in cookies),
      );
      expect(await service.signIn('boss', 'wrong')).not.to.have.property('svc_session');
    });

    it('cannot be started without cookies, which the page says', async () => {
      const visitor = new PageVisitor(service.origin);
      await visitor.open('/sign-in');
      visitor.cookies['svc_form'] = 'another';
      expect((await visitor.submit({ login: 'trail', password: 'x' })).html).to.include('The form was too old.');
      delete visitor.cookies['svc_form'];
      const { status, html } = await visitor.submit({ login: 'trail', password: 'x' });
      expect(status).to.equal(403);
      expect(html).to.include('Your browser sent no cookie with the form').and.include('Allow cookies for this address');
    });

    it('starts on a page without script that no other page can frame', async () => {
      const answer = await fetch(`${service.origin}/sign-in`);
      expect(answer.headers.get('Content-Security-Policy')).to.include("default-src 'none'").and.include("frame-ancestors 'none'");
      expect(await answer.text()).not.to.include('<script');
      const cookie = answer.headers.getSetCookie()[0] ?? '';
      expect(cookie).to.match(/^svc_form=[\w-]{32}; path=\/; samesite=lax; httponly$/);
    });
  });
});
