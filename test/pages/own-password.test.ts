import { connect } from 'node:net';
import { expect } from 'chai';
import type { User } from '../../domain/users/user.ts';
import { mailsOf } from '../support/applications.ts';
import { onAnyEngine } from '../support/engines.ts';
import { cookiesOf, testService } from '../support/service.ts';

const password = 'a long password of a person';
const newPassword = 'another long password of a person';

type Headers = Record<string, string>;

interface AnswerBody {
  code: string;
  message: string;
  data: { params: Record<string, string>; retry_after: number };
}

onAnyEngine((engine) => {
  describe('the own password', () => {
    const { service, clock } = testService(engine, { settings: { 'addons.management': true } });
    let user: User;
    let session: Headers;
    beforeEach(async () => {
      user = await service.user('trail', 'affiliate', { password });
      session = await service.staleSession('trail', password);
    });

    async function send(path: string, fields: unknown, headers: Headers = session) {
      const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(fields) };
      const response = await fetch(`${service.origin}${path}`, init);
      return {
        status: response.status,
        body: (await response.json()) as AnswerBody,
        headers: response.headers,
        cookies: cookiesOf(response),
      };
    }
    const confirm = (given = password, headers = session) => send('/console/confirm', { password: given }, headers);
    const change = (old_password: string, new_password: string, headers = session) =>
      send('/console/password', { old_password, new_password }, headers);
    /** 200 where the session is confirmed, else the code of the refusal. */
    const save = async (headers = session): Promise<number | string> => {
      const client = await service.client(headers);
      const { status, body } = await client.call('PUT', '/me/payout-details', { json: { method_type: 'credit', details: {} } });
      return status === 200 ? status : body.code;
    };
    /** Of all mails but those about sign-ins, of which these tests have many. */
    const subjects = async () =>
      (await mailsOf(service)).map(({ headers }) => headers.get('subject') ?? '').filter((subject) => !subject.includes('new sign-in'));
    const isSignedIn = async (headers: Headers) => (await (await service.client(headers)).get('/me')).status === 200;

    it('is confirmed for exactly ten minutes, in one session, and again by another confirmation', async () => {
      const other = await service.staleSession('trail', password);
      const { status, body, headers } = await confirm();
      expect([status, body, headers.get('Cache-Control')]).to.deep.equal([200, { confirmed_until: '2026-11-02T07:10:00' }, 'no-store']);
      expect([await save(), await save(other)]).to.deep.equal([200, 'svc_api_confirm_password']);
      clock.advance(599);
      expect(await save()).to.equal(200);
      clock.advance(1);
      expect(await save()).to.equal('svc_api_confirm_password');
      await confirm();
      clock.advance(599);
      expect(await save()).to.equal(200);
    });

    it('is confirmed by a form too, and not by a wrong password, which is a 403 in plain words', async () => {
      const form = await fetch(`${service.origin}/console/confirm`, {
        method: 'POST',
        headers: session,
        body: new URLSearchParams({ password }),
      });
      expect([form.status, await save()]).to.deep.equal([200, 200]);
      session = await service.staleSession('trail', password);
      for (const wrong of [`${password} `, password.toUpperCase(), 'x'.repeat(1000)]) {
        const { status, body } = await confirm(wrong);
        expect([status, body.code, body.message]).to.deep.equal([403, 'svc_api_confirm_password', 'The password is wrong. Try again.']);
      }
      for (const missing of ['', undefined, null, 7, ['x'], 'x'.repeat(1001)]) {
        const { status, body } = await send('/console/confirm', { password: missing });
        expect([status, Object.keys(body.data.params)]).to.deep.equal([400, ['password']]);
      }
      expect((await send('/console/confirm', [])).status).to.equal(400);
      expect(await save()).to.equal('svc_api_confirm_password');
    });

    it('is confirmed, changed and given to sign in while other clients send their bodies slowly', async () => {
      const { hostname, port } = new URL(service.origin);
      const form = 'application/x-www-form-urlencoded';
      for (const path of ['/console/confirm', '/console/password', '/sign-in', '/set-password']) {
        const lines = Object.entries({ Host: 'x', ...session, 'Content-Type': form, 'Content-Length': '100' });
        const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
        const slow = Array.from({ length: 4 }, () => connect(Number(port), hostname));
        for (const socket of slow) socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\npass`);
        await fetch(`${service.origin}/healthz`);
        const headers = { ...session, 'Content-Type': form };
        const signal = AbortSignal.timeout(10_000);
        const { status } = await fetch(`${service.origin}${path}`, { method: 'POST', headers, body: `password=${password}`, signal });
        expect(status, path).to.equal({ '/console/confirm': 200, '/console/password': 400, '/sign-in': 403, '/set-password': 404 }[path]);
        for (const socket of slow) socket.destroy();
      }
    });

    it('is confirmed and changed only in a session with its token', async () => {
      const { Cookie = '', 'X-Svc-CSRF': token = '' } = session;
      const other = await service.session('trail', password);
      const refused: [name: string, headers: Headers, status: number, code: string][] = [
        ['nobody', {}, 401, 'svc_api_unauthorized'],
        ['no session', { Cookie: 'svc_session=x', 'X-Svc-CSRF': token }, 401, 'svc_api_unauthorized'],
        ['no token', { Cookie }, 403, 'svc_api_csrf_failed'],
        ['a wrong token', { Cookie, 'X-Svc-CSRF': 'x' }, 403, 'svc_api_csrf_failed'],
        ['the token of another session', { Cookie, 'X-Svc-CSRF': other['X-Svc-CSRF'] ?? '' }, 403, 'svc_api_csrf_failed'],
        ['a key', (await service.key(user, ['read', 'write', 'manage'])).headers, 403, 'svc_api_key_wrong_namespace'],
        ['an application password', await service.appPassword(user), 401, 'svc_api_unauthorized'],
      ];
      for (const [name, headers, status, code] of refused)
        for (const answer of [await confirm(password, headers), await change(password, newPassword, headers)])
          expect([answer.status, answer.body.code], name).to.deep.equal([status, code]);
      expect(await save()).to.equal('svc_api_confirm_password');
      expect((await service.sendSignIn('trail', password)).status).to.equal(200);
    });

    it('counts towards the lock-out when it is wrong, wherever it is given', async () => {
      await service.settings.set('lockout.max_failures', 4);
      expect([(await confirm('wrong')).status, (await change('wrong', newPassword)).status]).to.deep.equal([403, 403]);
      // Right ones and broken rules do not count.
      for (const _ of [1, 2, 3]) expect([(await confirm()).status, (await change(password, 'short')).status]).to.deep.equal([200, 400]);
      // Two at a time: a third of one address would find no place in the queue, and count as no failure.
      const statuses: number[] = [];
      for (let pair = 0; pair < 3; pair += 1) {
        const answers = await Promise.all([confirm('wrong'), confirm('wrong')]);
        statuses.push(...answers.map(({ status }) => status));
      }
      expect(statuses).to.deep.equal([403, 403, 429, 429, 429, 429]);
      const { status, body } = await confirm();
      expect([status, body.code, body.data.retry_after]).to.deep.equal([429, 'svc_api_too_many_auth_failures', 900]);
      expect((await change(password, newPassword)).status).to.equal(429);
      expect((await service.sendSignIn('trail', password)).status).to.equal(429);
      clock.advance(900);
      expect((await confirm()).status).to.equal(200);
    });

    it('is replaced in this browser, under a fresh cookie; all other sessions and the old cookie end, keys stay', async () => {
      const other = await service.session('trail', password);
      const stranger = await service.user('stranger', 'affiliate', { password });
      const theirs = await service.session(stranger.login, password);
      const { headers: key } = await service.key(user, ['read']);
      await confirm();
      const { status, body, cookies, headers } = await change(password, newPassword);
      expect([status, body, headers.get('Cache-Control')]).to.deep.equal([200, { changed: true }, 'no-store']);
      const fresh = { Cookie: `svc_session=${cookies['svc_session']}`, 'X-Svc-CSRF': cookies['svc_csrf'] ?? '' };
      const attributes = headers.getSetCookie().map((cookie) => /httponly/i.test(cookie));
      expect(attributes).to.deep.equal([true, false]);
      expect([await isSignedIn(fresh), await isSignedIn(session), await isSignedIn(other)]).to.deep.equal([true, false, false]);
      expect([await isSignedIn(theirs), await isSignedIn(key)]).to.deep.equal([true, true]);
      expect(await save(fresh), 'the fresh session').to.equal('svc_api_confirm_password');
      expect([(await confirm(password, fresh)).status, (await confirm(newPassword, fresh)).status]).to.deep.equal([403, 200]);
      expect([(await confirm()).status, (await confirm(newPassword, other)).status]).to.deep.equal([401, 401]);
      const signIns = [await service.sendSignIn('trail', password), await service.sendSignIn('trail', newPassword)];
      expect(signIns.map((answer) => answer.status)).to.deep.equal([401, 200]);
      expect(await subjects()).to.deep.equal(['My store: your password was changed']);
      expect(service.log.join('')).not.to.include(password).and.not.include(newPassword);
    });

    it('stays when the old one is wrong or the new one breaks a rule, which the answer names', async () => {
      const rules: [given: string, problem: RegExp][] = [
        ['too short', /at least 10 characters/],
        ['TRAIL@shop.example', /your login or your email/],
        ['qwertyuiop', /most common/],
        ['x'.repeat(1001), /1 to 1000 characters/],
      ];
      for (const [given, problem] of rules) {
        const { status, body } = await change(password, given);
        expect([status, Object.keys(body.data.params)], given).to.deep.equal([400, ['new_password']]);
        expect(body.message).to.match(problem);
      }
      expect((await change('wrong', newPassword)).body.message).to.equal('The password is wrong. Try again.');
      expect([await isSignedIn(session), (await service.sendSignIn('trail', password)).status]).to.deep.equal([true, 200]);
      expect(await subjects()).to.deep.equal([]);
    });

    it('of two changes at once is that of one, and the other is refused', async () => {
      const answers = await Promise.all([change(password, `${newPassword} 1`), change(password, `${newPassword} 2`)]);
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 403]);
      expect(await subjects()).to.have.length(1);
    });
  });
});
