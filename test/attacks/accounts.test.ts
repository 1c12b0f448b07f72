import { expect } from 'chai';
import { TOTP } from 'otpauth';
import { systemRandom } from '../../domain/random.ts';
import { issueInvitation } from '../../domain/users/password-links.ts';
import type { User } from '../../domain/users/user.ts';
import { failuresOf } from '../../server/auth/sign-in-attempts.ts';
import { mailsOf } from '../support/applications.ts';
import { onAnyEngine } from '../support/engines.ts';
import { PageVisitor } from '../support/page-visitor.ts';
import { startService, testService } from '../support/service.ts';

const password = 'a long password of a person';
const fifteenMinutes = 15 * 60;

/** How often each result occurs. */
const tally = (results: readonly unknown[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const result of results) counts[String(result)] = (counts[String(result)] ?? 0) + 1;
  return counts;
};

onAnyEngine((engine) => {
  describe('attacks on the accounts of people', () => {
    const { service, clock } = testService(engine, { hasLimits: true, env: { TRUSTED_PROXIES: '127.0.0.1' } });
    let owner: User;
    beforeEach(async () => {
      owner = await service.user('ada', 'manager', { password });
    });

    /** A browser at an address, over HTTPS. */
    const browserAt = (address: string, origin = service.origin) =>
      new PageVisitor(origin, { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });

    async function signIn(browser: PageVisitor, given: string, login = 'ada'): Promise<number> {
      await browser.open('/sign-in?to=/console');
      return (await browser.submit({ login, password: given })).status;
    }

    /** Keeps what a browser keeps when a person signs out. */
    const signOut = (browser: PageVisitor): void => {
      delete browser.cookies['__Host-svc_session'];
    };

    async function trusted(address: string): Promise<PageVisitor> {
      const browser = browserAt(address);
      expect(await signIn(browser, password)).to.equal(303);
      signOut(browser);
      return browser;
    }

    const send = (browser: PageVisitor, method: string, path: string, fields: unknown = {}) =>
      fetch(`${service.origin}${path}`, {
        method,
        headers: {
          'X-Forwarded-Proto': 'https',
          'X-Forwarded-For': '192.0.2.200',
          'Content-Type': 'application/json',
          Cookie: Object.entries(browser.cookies)
            .map((pair) => pair.join('='))
            .join('; '),
          'X-Svc-CSRF': browser.cookies['__Host-svc_csrf'] ?? '',
        },
        ...(method !== 'GET' && { body: JSON.stringify(fields) }),
      });

    /** Sets the second factor up in the console. Returns what the person has then. */
    async function setUp(browser: PageVisitor) {
      await signIn(browser, password);
      const { secret, setup } = (await (await send(browser, 'POST', '/console/second-factor')).json()) as Record<string, string>;
      const totp = new TOTP({ secret: secret ?? '' });
      const codeAt = (seconds: number): string => totp.generate({ timestamp: clock.now() + seconds * 1000 });
      const answer = await send(browser, 'PUT', '/console/second-factor', { setup, code: codeAt(0) });
      const { recovery_codes } = (await answer.json()) as { recovery_codes: string[] };
      clock.advance(120);
      signOut(browser);
      return { codeAt, recoveryCodes: recovery_codes };
    }

    /** Gives the password, then codes. Returns the status of each code. */
    async function tryCodes(browser: PageVisitor, ...codes: string[]): Promise<number[]> {
      expect(await signIn(browser, password)).to.equal(200);
      const statuses: number[] = [];
      for (const code of codes) statuses.push((await browser.submit({ code })).status);
      return statuses;
    }

    /** As 30 wrong passwords from elsewhere do, without hashing them. */
    async function lockAccount(): Promise<void> {
      for (let failure = 0; failure < 30; failure += 1) await service.storage.counters.hit(failuresOf(owner.login), fifteenMinutes);
    }

    it('90 wrong passwords from 5 addresses reach the password 30 times, and the owner still gets in', async () => {
      const home = await trusted('203.0.113.1');
      const results: number[] = [];
      for (let attempt = 0; attempt < 90; attempt += 1) {
        const browser = browserAt(`198.51.100.${attempt % 5}`);
        results.push(await signIn(browser, `guess ${attempt}`));
      }
      expect(tally(results)).to.deep.equal({ 401: 30, 429: 60 });
      const stranger = browserAt('192.0.2.1');
      expect(await signIn(stranger, password), 'the right password without a device cookie').to.equal(429);
      expect(stranger.page.html).to.include('href="/forgot-password"');
      expect(await signIn(home, password), 'the device of the owner').to.equal(303);
      const basic = await service.appPassword(owner);
      const { status } = await (await service.client({ ...basic, 'X-Forwarded-Proto': 'https' })).get('/me');
      expect(status, 'an application password').to.equal(200);
      clock.advance(fifteenMinutes);
      expect(await signIn(stranger, password)).to.equal(303);
    });

    it('35 wrong passwords for an unknown name are answered as for a known one, by login and by email', async () => {
      const tryAll = async (login: string, from: number): Promise<unknown[]> => {
        const answers: unknown[] = [];
        for (let attempt = 0; attempt < 35; attempt += 1) {
          const browser = browserAt(`198.51.100.${from + (attempt % 5)}`);
          const status = await signIn(browser, 'wrong', attempt % 2 ? login : login.toUpperCase());
          answers.push([status, browser.page.html.replaceAll(/value="[^"]*"/g, '')]);
        }
        return answers;
      };
      const unknown = await tryAll('nobody@shop.example', 0);
      expect(await tryAll('ada@shop.example', 100)).to.deep.equal(unknown);
    });

    it('a locked account is opened by a link in a mail, whose browser becomes a device', async () => {
      await lockAccount();
      const context = { now: clock.now(), random: systemRandom };
      const link = await service.storage.write((transaction) => issueInvitation(transaction, owner, context));
      const browser = browserAt('192.0.2.1');
      expect(await signIn(browser, password)).to.equal(429);
      await browser.open(link);
      const chosen = 'another long password of a person';
      expect((await browser.submit({ password: chosen, repeated: chosen })).status).to.equal(200);
      expect(browser.cookies).not.to.have.property('__Host-svc_session');
      expect(await signIn(browser, chosen)).to.equal(303);
    });

    it('a stolen device cookie is worth 30 guesses, then it is void and the account is limited as for everyone', async () => {
      const home = await trusted('203.0.113.1');
      const stolen = home.cookies['__Host-svc_device'] ?? '';
      const results: number[] = [];
      for (let attempt = 0; attempt < 80; attempt += 1) {
        const thief = browserAt(`198.51.100.${attempt % 9}`);
        thief.cookies['__Host-svc_device'] = stolen;
        results.push(await signIn(thief, `guess ${attempt}`));
      }
      expect(tally(results)).to.deep.equal({ 401: 60, 429: 20 });
      expect(await signIn(home, password), 'the cookie is void for its owner, too').to.equal(429);
      clock.advance(fifteenMinutes);
      expect(await signIn(home, password)).to.equal(303);
      expect(home.cookies['__Host-svc_device']).not.to.equal(stolen);
    });

    it('a device cookie opens no other account, and is another one after each sign-in', async () => {
      await service.user('eve', 'affiliate', { password });
      const eve = browserAt('198.51.100.1');
      await signIn(eve, password, 'eve');
      const first = eve.cookies['__Host-svc_device'] ?? '';
      signOut(eve);
      await lockAccount();
      expect(await signIn(eve, password), 'the account of Ada').to.equal(429);
      expect(await signIn(eve, password, 'eve')).to.equal(303);
      expect(eve.cookies['__Host-svc_device'])
        .to.match(/^[\w-]{43}$/)
        .and.not.equal(first);
    });

    it('a device cookie that was planted before the owner signs in is none of the owner afterwards', async () => {
      await service.user('eve', 'affiliate', { password });
      const eve = browserAt('198.51.100.1');
      await signIn(eve, password, 'eve');
      const planted = eve.cookies['__Host-svc_device'] ?? '';
      const home = browserAt('203.0.113.1');
      home.cookies['__Host-svc_device'] = planted;
      expect(await signIn(home, password)).to.equal(303);
      await lockAccount();
      const attacker = browserAt('198.51.100.2');
      attacker.cookies['__Host-svc_device'] = planted;
      expect(await signIn(attacker, password)).to.equal(429);
    });

    it('cookies that a sibling domain plants are not read over HTTPS', async () => {
      const eve = browserAt('198.51.100.1');
      await service.user('eve', 'affiliate', { password });
      await signIn(eve, password, 'eve');
      const names = ['svc_session', 'svc_csrf', 'svc_device', 'svc_form'];
      for (const name of names) expect(eve.cookies).to.have.property(`__Host-${name}`).and.not.equal('');
      const me = async (Cookie: string) => (await (await service.client({ 'X-Forwarded-Proto': 'https', Cookie })).get('/me')).status;
      const session = eve.cookies['__Host-svc_session'];
      expect([await me(`__Host-svc_session=${session}`), await me(`svc_session=${session}`)]).to.deep.equal([200, 401]);
      const victim = browserAt('203.0.113.1');
      await victim.open('/sign-in');
      delete victim.cookies['__Host-svc_form'];
      victim.cookies['svc_form'] = victim.hidden()['form_token'] ?? '';
      expect((await victim.submit({ login: 'eve', password })).status, 'a form with a planted token').to.equal(403);
    });

    it('a locked login does not tell which e-mail belongs to it', async () => {
      await lockAccount();
      expect(await signIn(browserAt('198.51.100.1'), 'a guess')).to.equal(429);
      expect(await signIn(browserAt('198.51.100.1'), 'a guess', 'ada@shop.example')).to.equal(401);
    });

    it('a session from before the second factor ends with it, and new recovery codes are told by mail', async () => {
      const thief = browserAt('198.51.100.1');
      expect(await signIn(thief, password)).to.equal(303);
      expect((await send(thief, 'GET', '/console/security')).status).to.equal(200);
      const home = browserAt('203.0.113.1');
      const { codeAt } = await setUp(home);
      expect((await send(thief, 'GET', '/console/security')).status).to.equal(401);
      expect(await tryCodes(home, codeAt(0))).to.deep.equal([303]);
      expect((await send(home, 'POST', '/console/recovery-codes')).status).to.equal(200);
      const subjects = (await mailsOf(service)).map(({ headers }) => headers.get('subject'));
      expect(subjects).to.include('My store: new recovery codes');
    });

    it('who must have a second factor cannot switch it off', async () => {
      const home = browserAt('203.0.113.1');
      const { codeAt } = await setUp(home);
      expect(await tryCodes(home, codeAt(0))).to.deep.equal([303]);
      await service.settings.set('security.second_factor', 'admins');
      expect((await send(home, 'DELETE', '/console/second-factor')).status).to.equal(403);
      await service.settings.set('security.second_factor', 'optional');
      expect((await send(home, 'DELETE', '/console/second-factor')).status).to.equal(200);
    });

    it('a code of other digits than 0 to 9 is a wrong code', async () => {
      const home = browserAt('203.0.113.1');
      await signIn(home, password);
      const { setup } = (await (await send(home, 'POST', '/console/second-factor')).json()) as Record<string, string>;
      for (const code of ['１２３４５６', '12345', '1234567', 'abcdef', ''])
        expect((await send(home, 'PUT', '/console/second-factor', { setup, code })).status, code).to.equal(400);
    });

    it('a session that was planted before is another one after each step of the sign-in', async () => {
      const { codeAt } = await setUp(browserAt('203.0.113.1'));
      const browser = browserAt('203.0.113.2');
      browser.cookies['__Host-svc_session'] = 'A'.repeat(43);
      expect(await tryCodes(browser, codeAt(0))).to.deep.equal([303]);
      expect(browser.cookies['__Host-svc_session'])
        .to.match(/^[\w-]{43}$/)
        .and.not.equal('A'.repeat(43));
      const { status } = await send(
        { cookies: { '__Host-svc_session': 'A'.repeat(43) } } as unknown as PageVisitor,
        'GET',
        '/console/security',
      );
      expect(status).to.equal(401);
    });

    it('the password alone starts no session and gives no device where there is a second factor', async () => {
      await setUp(browserAt('203.0.113.1'));
      const thief = browserAt('198.51.100.1');
      expect(await signIn(thief, password)).to.equal(200);
      expect(thief.page.html).to.include('Enter your code');
      expect(Object.keys(thief.cookies)).to.deep.equal(['__Host-svc_form']);
      const link = await service.storage.write((transaction) =>
        issueInvitation(transaction, owner, { now: clock.now(), random: systemRandom }),
      );
      await thief.open(link);
      await thief.submit({ password: `${password} 2`, repeated: `${password} 2` });
      expect(await signIn(thief, `${password} 2`), 'a password set by link').to.equal(200);
      expect(thief.cookies).not.to.have.property('__Host-svc_session');
    });

    it('a code is accepted once, also by two requests at the same time, and no older one after it', async () => {
      const { codeAt } = await setUp(browserAt('203.0.113.1'));
      const [one, other] = [browserAt('203.0.113.2'), browserAt('203.0.113.3')];
      await signIn(one, password);
      await signIn(other, password);
      const answers = await Promise.all([one.submit({ code: codeAt(0) }), other.submit({ code: codeAt(0) })]);
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([303, 401]);
      const again = browserAt('203.0.113.4');
      expect(await tryCodes(again, codeAt(0), codeAt(-30), codeAt(30))).to.deep.equal([401, 401, 303]);
    });

    it('clocks may differ by one step of 30 seconds', async () => {
      const { codeAt } = await setUp(browserAt('203.0.113.1'));
      const table: Record<number, number> = {};
      for (const drift of [-90, -60, 60, 90, -30, 0, 30]) {
        const [status = 0] = await tryCodes(browserAt(`203.0.113.${100 + drift}`), codeAt(drift));
        table[drift] = status;
        clock.advance(drift === -30 || drift === 0 ? 300 : 0);
      }
      expect(table).to.deep.equal({ [-90]: 401, [-60]: 401, [-30]: 303, 0: 303, 30: 303, 60: 401, 90: 401 });
    });

    it('five wrong codes end a sign-in, the owner is told, and 30 in 15 minutes are refused for the account by both its names', async () => {
      const { codeAt } = await setUp(browserAt('203.0.113.1'));
      const wrong = codeAt(600);
      const results: unknown[] = [];
      for (let round = 0; round < 8; round += 1) {
        const thief = browserAt(`198.51.100.${round}`);
        const status = await signIn(thief, password);
        if (status !== 200) results.push(status);
        for (let attempt = 0; attempt < 6 && thief.page.html.includes('name="code"'); attempt += 1) {
          const page = await thief.submit({ code: wrong });
          results.push(page.html.includes('Sign in again') ? 'ended' : page.status);
        }
      }
      expect(tally(results)).to.deep.equal({ 401: 24, ended: 6, 429: 2 });
      expect(await signIn(browserAt('198.51.100.8'), password, owner.email), 'by the other name').to.equal(429);
      const subjects = (await mailsOf(service)).map(({ headers }) => headers.get('subject'));
      expect(subjects.filter((subject) => subject === 'My store: wrong codes after your password')).to.have.length(6);
    });

    it('wrong codes are told to the owner although each sign-in is given up before the fifth', async () => {
      const { codeAt } = await setUp(browserAt('203.0.113.1'));
      for (let round = 0; round < 5; round += 1) {
        const thief = browserAt(`198.51.100.${round}`);
        expect(await tryCodes(thief, ...Array<string>(4).fill(codeAt(600)))).to.deep.equal([401, 401, 401, 401]);
      }
      const subjects = (await mailsOf(service)).map(({ headers }) => headers.get('subject'));
      expect(subjects.filter((subject) => subject === 'My store: wrong codes after your password')).to.have.length(4);
    });

    it('a recovery code works once, wrong ones count as codes do, and new ones replace the old', async () => {
      const home = browserAt('203.0.113.1');
      const { recoveryCodes } = await setUp(home);
      const [first = '', second = '', third = ''] = recoveryCodes;
      expect(new Set(recoveryCodes)).to.have.property('size', 10);
      for (const code of recoveryCodes) expect(code).to.match(/^([A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}$/);
      expect(await tryCodes(browserAt('203.0.113.2'), first.toLowerCase().replaceAll('-', ' '))).to.deep.equal([303]);
      const guesses = ['AAAA-AAAA-AAAA-AAAA', first, `${second}A`, second.slice(1), ''];
      const thief = browserAt('198.51.100.1');
      expect(await tryCodes(thief, ...guesses)).to.deep.equal([401, 401, 401, 401, 401]);
      expect(thief.page.html).to.include('Sign in again');
      expect(await tryCodes(home, second)).to.deep.equal([303]);
      const renewed = (await (await send(home, 'POST', '/console/recovery-codes')).json()) as { recovery_codes: string[] };
      expect(await tryCodes(browserAt('203.0.113.3'), third, renewed.recovery_codes[0] ?? '')).to.deep.equal([401, 303]);
      const stored = await (await engine.observe(service.databaseUrl)).query<{ hash: string }>('select hash from recovery_codes');
      expect(stored).to.have.length(9);
      for (const { hash } of stored) expect(hash).to.match(/^[0-9a-f]{64}$/);
      expect(service.log.join('')).not.to.include(first).and.not.include(second);
    });

    it('a session is confirmed by a code once, and five wrong codes are all that it may give in ten minutes', async () => {
      const home = browserAt('203.0.113.1');
      const { codeAt } = await setUp(home);
      await tryCodes(home, codeAt(0));
      const confirm = async (fields: object) => (await send(home, 'POST', '/console/confirm', fields)).status;
      expect([await confirm({ code: codeAt(0) }), await confirm({ code: codeAt(30) })], 'used, fresh').to.deep.equal([403, 200]);
      clock.advance(fifteenMinutes);
      expect((await send(home, 'DELETE', '/console/second-factor')).status, 'not confirmed').to.equal(403);
      for (let attempt = 0; attempt < 5; attempt += 1) expect(await confirm({ code: codeAt(900) })).to.equal(403);
      expect(await confirm({ code: codeAt(0) }), 'the sixth is right').to.equal(403);
      clock.advance(fifteenMinutes);
      expect(await confirm({ code: codeAt(0) })).to.equal(200);
      expect((await send(home, 'DELETE', '/console/second-factor')).status).to.equal(200);
      signOut(home);
      expect(await signIn(home, password), 'without a second factor').to.equal(303);
    });

    it('the password of a person who has a second factor changes nothing of it, no payout details and no settings', async () => {
      for (const addOn of ['payouts', 'management']) await service.settings.set(`addons.${addOn}`, true);
      const boss = await service.user('boss', 'administrator', { password });
      await (await engine.observe(service.databaseUrl)).query(`update users set role = 'administrator' where id = ${owner.id}`);
      const home = browserAt('203.0.113.1');
      const { codeAt, recoveryCodes } = await setUp(home);
      await tryCodes(home, codeAt(0));
      clock.advance(600);
      const calls: [method: string, path: string, body: unknown][] = [
        ['POST', '/console/second-factor', {}],
        ['PUT', '/console/second-factor', { setup: 'x', code: '123456' }],
        ['POST', '/console/recovery-codes', {}],
        ['DELETE', '/console/second-factor', {}],
        ['PUT', '/api/v2/me/payout-details', { method_type: 'paypal', details: { email: 'thief@pay.example' } }],
        ['PATCH', '/api/v2/settings', { 'store.name': 'Thief' }],
      ];
      const statusOf = async ([method, path, body]: (typeof calls)[number], browser = home) =>
        (await send(browser, method, path, body)).status;
      expect((await send(home, 'POST', '/console/confirm', { password })).status).to.equal(200);
      for (const call of calls) expect(await statusOf(call), call.slice(0, 2).join(' ')).to.equal(403);
      expect((await send(home, 'POST', '/api/v2/keys')).status, 'the password is enough for a key').to.equal(201);
      expect((await send(home, 'POST', '/console/confirm', { code: recoveryCodes[0] })).status).to.equal(200);
      const statuses: number[] = [];
      for (const call of [...calls.slice(4), ...calls.slice(0, 4)]) statuses.push(await statusOf(call));
      expect(statuses, 'after a recovery code').to.deep.equal([200, 200, 200, 400, 200, 200]);
      const other = browserAt('203.0.113.2');
      await signIn(other, password, boss.login);
      expect(await statusOf(calls[5] as (typeof calls)[number], other), 'without a second factor').to.equal(200);
    });

    it('a mail tells of a sign-in in a new browser, and not of the first one ever', async () => {
      const subjects = async () => (await mailsOf(service)).map(({ headers }) => headers.get('subject'));
      const home = await trusted('203.0.113.1');
      expect([await signIn(home, password), await subjects()]).to.deep.equal([303, []]);
      await trusted('2001:db8:1:2::3');
      expect(await subjects()).to.deep.equal(['My store: a new sign-in to your account']);
      const { sessions } = (await (await send(home, 'GET', '/console/security')).json()) as {
        sessions: { address: string; is_current: boolean }[];
      };
      expect(tally(sessions.map(({ address }) => address))).to.deep.equal({ '203.0.113.0/24': 2, '2001:db8:1::/48': 1 });
      expect(sessions.filter(({ is_current }) => is_current)).to.have.length(1);
    });

    it('a person ends own sessions one by one and all others at once, and no session of another person', async () => {
      await service.user('eve', 'affiliate', { password });
      const [home, phone, tablet, eve] = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '198.51.100.1'].map((address) => browserAt(address));
      if (!home || !phone || !tablet || !eve) throw new Error('Four browsers.');
      for (const browser of [home, phone, tablet]) await signIn(browser, password);
      await signIn(eve, password, 'eve');
      const idOf = async (browser: PageVisitor) => {
        const { sessions } = (await (await send(browser, 'GET', '/console/security')).json()) as {
          sessions: { id: string; is_current: boolean }[];
        };
        return sessions.find(({ is_current }) => is_current)?.id ?? '';
      };
      const isIn = async (browser: PageVisitor) => (await send(browser, 'GET', '/console/security')).status === 200;
      expect((await send(home, 'DELETE', `/console/sessions/${await idOf(eve)}`)).status, 'of another person').to.equal(404);
      expect((await send(home, 'DELETE', `/console/sessions/${await idOf(phone)}`)).status).to.equal(200);
      expect(await Promise.all([home, phone, tablet, eve].map(isIn))).to.deep.equal([true, false, true, true]);
      const withoutToken = { cookies: { ...home.cookies, '__Host-svc_csrf': '' } } as unknown as PageVisitor;
      expect((await send(withoutToken, 'DELETE', '/console/sessions')).status).to.equal(403);
      expect((await send(home, 'DELETE', '/console/sessions')).status).to.equal(200);
      expect(await Promise.all([home, phone, tablet, eve].map(isIn))).to.deep.equal([true, false, false, true]);
    });

    it('administrators and managers set the second factor up at their next sign-in where the setting asks, others do not', async () => {
      await service.settings.set('security.second_factor', 'admins');
      await service.user('eve', 'affiliate', { password });
      expect(await signIn(browserAt('198.51.100.1'), password, 'eve')).to.equal(303);
      const browser = browserAt('203.0.113.1');
      expect(await signIn(browser, password)).to.equal(200);
      const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(browser.page.html)?.[1]?.replaceAll(' ', '') ?? '';
      const totp = new TOTP({ secret });
      const code = (seconds: number): string => totp.generate({ timestamp: clock.now() + seconds * 1000 });
      expect((await browser.submit({ code: code(900) })).status).to.equal(401);
      expect(browser.page.html, 'the same key after a wrong code').to.include(secret.slice(0, 4));
      expect(browser.cookies).not.to.have.property('__Host-svc_session');
      const done = await browser.submit({ code: code(0) });
      expect([done.status, done.html.match(/<li><code>/g)?.length]).to.deep.equal([200, 10]);
      expect((await send(browser, 'GET', '/console/security')).status).to.equal(200);
      clock.advance(60);
      expect(await tryCodes(browserAt('203.0.113.2'), code(0))).to.deep.equal([303]);
      await service.settings.set('security.second_factor', 'off');
      expect(await signIn(browserAt('203.0.113.3'), password), 'switched off').to.equal(303);
    });

    it('creating a key in a session needs a confirmed password', async () => {
      const session = await service.staleSession('ada', password);
      const { status, body } = await (await service.client(session)).post('/keys');
      expect([status, body.code]).to.deep.equal([403, 'svc_api_confirm_password']);
      const confirmed = await service.session('ada', password);
      expect((await (await service.client(confirmed)).post('/keys')).status).to.equal(201);
    });

    if (engine.name === 'postgres')
      it('several processes share the counts: 45 wrong passwords to three of them reach the password 30 times', async () => {
        const options = { clock, hasLimits: true, databaseUrl: service.databaseUrl, env: { TRUSTED_PROXIES: '127.0.0.1' } };
        const others = [await startService(engine, options), await startService(engine, options)];
        const origins = [service, ...others].map(({ origin }) => origin);
        const home = await trusted('203.0.113.1');
        const results: number[] = [];
        for (let attempt = 0; attempt < 45; attempt += 1)
          results.push(await signIn(browserAt(`198.51.100.${attempt % 5}`, origins[attempt % 3]), 'wrong'));
        expect(tally(results)).to.deep.equal({ 401: 30, 429: 15 });
        const elsewhere = browserAt('203.0.113.1', origins[2]);
        Object.assign(elsewhere.cookies, home.cookies);
        expect(await signIn(elsewhere, password), 'the device of the owner, at another process').to.equal(303);
      });
  });
});
