import { expect } from 'chai';
import { acceptsSession } from '../../server/auth/accepts-session.ts';
import { ask, type PlainAnswer } from '../attacks/plain-http.ts';
import { onAnyEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { withPasswordCostOfProduction } from '../support/password-cost.ts';
import { cookiesOf, suiteService, type TestService } from '../support/service.ts';

const password = 'correct horse battery';

describe('acceptsSession', () => {
  const environments = { production: false, local: true };
  const schemes = { https: true, http: false };
  const localAddresses = ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'];
  const foreignAddresses = ['192.0.2.7', '10.0.0.1', '::ffff:192.0.2.7', '2001:db8::1', '::', '::127.0.0.1', '1.127.0.0', ''];
  const localHosts = ['localhost', 'LOCALHOST:8080', '127.0.0.1:8080', '127.255.0.1', '[::1]', '[::1]:8080'];
  const foreignHosts = [
    'program.example',
    'localhost.evil.example',
    'evil.localhost',
    'localhost.',
    '127.0.0.1.nip.example',
    '127.evil.example',
    'evil@localhost',
    'localhost:8080@evil.example',
    '[::2]',
    '::1',
    '0.0.0.0',
    '192.0.2.1',
    '',
    undefined,
  ];
  const forwarding = [
    { forwarded: 'for=192.0.2.1' },
    { via: '1.1 proxy' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-proto': 'https' },
    { 'x-forwarded-host': 'localhost' },
    { 'x-forwarded-anything': '' },
  ];

  it('holds for HTTPS, for environments with plain HTTP, and else on this machine alone, without a proxy', () => {
    let accepted = 0;
    let tried = 0;
    for (const [environment, allowPlainHttp] of Object.entries(environments))
      for (const [scheme, isSecure] of Object.entries(schemes))
        for (const remoteAddress of [...localAddresses, ...foreignAddresses])
          for (const host of [...localHosts, ...foreignHosts])
            for (const headers of [{}, ...forwarding])
              for (const httpVersion of ['1.1', '1.0']) {
                const request = { req: { headers: { ...headers, host }, httpVersion, socket: { remoteAddress } }, state: { isSecure } };
                const isLocal =
                  localAddresses.includes(remoteAddress) &&
                  localHosts.includes(host ?? '') &&
                  Object.keys(headers).length === 0 &&
                  httpVersion === '1.1';
                const row = `${environment} ${scheme} from ${remoteAddress} to ${host} by HTTP/${httpVersion} with ${JSON.stringify(headers)}`;
                expect(acceptsSession(request, allowPlainHttp), row).to.equal(isSecure || allowPlainHttp || isLocal);
                tried += 1;
                accepted += isLocal ? 1 : 0;
              }
    expect([tried, accepted]).to.deep.equal([2 * 2 * 12 * 20 * 7 * 2, 2 * 2 * 4 * 6]);
  });
});

interface Way {
  headers: Record<string, string>;
  isAccepted: boolean;
}

/** All from 127.0.0.1, over plain HTTP. */
const ways: Record<string, Way> = {
  'to 127.0.0.1': { headers: {}, isAccepted: true },
  'to localhost': { headers: { Host: 'localhost:8080' }, isAccepted: true },
  'to a name that leads to 127.0.0.1': { headers: { Host: 'evil.example:8080' }, isAccepted: false },
  'by a proxy that says for whom': { headers: { 'X-Forwarded-For': '127.0.0.1' }, isAccepted: false },
  'by a proxy that claims HTTPS and is not trusted': { headers: { 'X-Forwarded-Proto': 'https' }, isAccepted: false },
  'by a proxy that says Via': { headers: { Via: '1.1 proxy' }, isAccepted: false },
  'by a proxy that says Forwarded': { headers: { Forwarded: 'for=127.0.0.1' }, isAccepted: false },
};

/** Sends the sign-in form, with the token of a page that was shown on this machine. */
async function sendForm(service: TestService, headers: Record<string, string>, login = 'boss'): Promise<PlainAnswer> {
  const shown = await ask(service, '/sign-in');
  const token = /name="form_token" value="([^"]+)"/.exec(shown.body)?.[1] ?? '';
  const body = String(new URLSearchParams({ login, password, form_token: token }));
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return ask(service, '/sign-in', { method: 'POST', headers: { ...type, Cookie: `svc_form=${token}`, ...headers }, body });
}

onAnyEngine((engine) => {
  for (const environment of ['production', 'development', 'local'])
    describe(`signing in over plain HTTP in the environment ${environment}`, () => {
      const { service } = suiteService(engine, { env: { ENVIRONMENT: environment } });
      const boss = suiteFixture(() => service.user('boss', 'administrator', { password }));
      const credentials = suiteFixture(async () => ({
        key: (await service.key(boss, ['read'])).headers,
        basic: await service.appPassword(boss),
        session: { Cookie: (await service.session('boss', password))['Cookie'] ?? '' },
      }));

      for (const [name, { headers, isAccepted }] of Object.entries(ways)) {
        const isOpen = isAccepted || environment !== 'production';
        const outcome = isOpen ? 'shows the form, starts a session and accepts it' : 'explains HTTPS in HTML, and accepts no session';
        it(`${name} ${outcome}, while a key needs HTTPS unless the environment allows plain HTTP`, async () => {
          const { key, basic, session } = credentials;
          const [form, posted] = [await ask(service, '/sign-in', { headers }), await sendForm(service, headers)];
          expect([form.status, posted.status]).to.deep.equal(isOpen ? [200, 200] : [403, 403]);
          for (const answer of [form, posted]) expect(answer.headers['content-type']).to.equal('text/html; charset=utf-8');
          expect(String(posted.headers['set-cookie'] ?? '').includes('svc_session=')).to.equal(isOpen);
          expect(form.body.includes('TLS_CERT')).to.equal(!isOpen);
          const statusOf = async (path: string, sent: Record<string, string>) =>
            (await ask(service, path, { headers: { ...headers, ...sent } })).status;
          expect(await statusOf('/api/v2/me', session)).to.equal(isOpen ? 200 : 401);
          expect((await ask(service, '/console', { headers: { ...headers, ...session } })).status === 303).to.equal(!isOpen);
          const keys = [await statusOf('/api/v2/me', key), await statusOf('/api/v2/me', basic)];
          expect(keys).to.deep.equal(environment === 'production' ? [401, 401] : [200, 200]);
        });
      }
    });

  describe('the sign-in page', () => {
    withPasswordCostOfProduction();
    const { service } = suiteService(engine, { hasLimits: true, env: { ENVIRONMENT: 'production' } });
    suiteFixture(() => service.user('boss', 'administrator', { password }));

    it('names the address with HTTPS, the three ways to get there, and sets no cookie', async () => {
      const plain = await ask(service, '/sign-in', { headers: { Host: 'program.example' } });
      expect(plain.body)
        .to.include('TRUSTED_PROXIES')
        .and.include(`http://localhost:${new URL(service.origin).port}/sign-in`)
        .and.not.include('<form');
      expect(plain.headers['set-cookie']).to.equal(undefined);
      await service.withSetting('service.url', 'https://program.example/', async () => {
        const { body } = await ask(service, '/sign-in', { headers: { Host: 'program.example' } });
        expect(body).to.include('<a href="https://program.example/sign-in">');
      });
    });

    it('keeps the login after a wrong password, and never the password', async () => {
      const answer = await service.sendSignIn('b"oss', 'a wrong password');
      const html = await answer.text();
      expect([answer.status, html.includes('value="b&quot;oss"')]).to.deep.equal([401, true]);
      expect(html).to.include('The login or the password is wrong.').and.not.include('a wrong password');
    });

    it('tells a locked-out address in HTML when to try again, also with the right password', async () => {
      await service.settings.set('lockout.max_failures', 2);
      const answers: Response[] = [];
      for (const sent of ['wrong', 'wrong', password]) answers.push(await service.sendSignIn('boss', sent));
      const locked = answers.at(-1);
      expect([locked?.status, locked?.headers.get('Content-Type')]).to.deep.equal([429, 'text/html; charset=utf-8']);
      expect(Number(locked?.headers.get('Retry-After'))).to.be.within(1, 900);
      expect(await locked?.text()).to.include('Too many failed sign-ins from this address. Try again in 15 minutes.');
      expect(cookiesOf(locked as Response)).to.deep.equal({});
    });

    it('answers in HTML while more people sign in than it can check', async () => {
      await service.settings.set('lockout.max_failures', 0);
      const answers = await Promise.all(Array.from({ length: 24 }, () => sendForm(service, {}, 'nobody')));
      const busy = answers.filter(({ status }) => status === 503);
      expect(busy.length).to.be.above(0);
      for (const { headers, body } of busy) {
        expect([headers['content-type'], headers['retry-after']]).to.deep.equal(['text/html; charset=utf-8', '2']);
        expect(body).to.include('The service has too much to do. Try again in a moment.');
      }
    });
  });
});
