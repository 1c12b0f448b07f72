import { expect } from 'chai';
import { systemRandom } from '../../domain/random.ts';
import { createFirstAdministrator, issueSetupLink } from '../../domain/users/first-administrator.ts';
import { issueToken } from '../../domain/users/one-time-token.ts';
import { verifyPassword } from '../../domain/users/password.ts';
import { ask } from '../attacks/plain-http.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { startService, type TestClock } from '../support/service.ts';

const password = 'a long sentence of the boss';
const filled = {
  login: 'boss',
  email: 'boss@shop.example',
  password,
  store_name: 'Ada & Sons',
  store_url: 'https://shop.example',
  store_currency: 'EUR',
  store_timezone: 'Europe/Berlin',
  service_url: 'https://program.example',
  addons_store: 'yes',
  addons_management: 'yes',
  registration_open: 'yes',
};

const written = {
  'store.name': 'Ada & Sons',
  'store.url': 'https://shop.example',
  'store.currency': 'EUR',
  'store.timezone': 'Europe/Berlin',
  'service.url': 'https://program.example',
  'addons.store': true,
  'addons.insights': false,
  'addons.risk': false,
  'addons.management': true,
  'addons.agents': false,
  'registration.open': true,
};

const formToken = 'f'.repeat(32);

onAnyEngine((engine) => {
  describe('the page /setup', () => {
    const service = testFixture(() => startService(engine, { hasLimits: true }));
    const token = testFixture(async () => ({ value: await newToken() }));
    const newToken = async (): Promise<string> => {
      const path = await service.storage.write((transaction) => issueSetupLink(transaction, service.clock.now(), systemRandom));
      return path?.slice('/setup?token='.length) ?? '';
    };
    const open = (sent: string, headers: Record<string, string> = {}) => fetch(`${service.origin}/setup?token=${sent}`, { headers });
    const post = (fields: Record<string, string>, cookie = `svc_form=${formToken}`) =>
      fetch(`${service.origin}/setup`, {
        method: 'POST',
        body: new URLSearchParams({ form_token: formToken, token: token.value, ...fields }),
        headers: { Cookie: cookie },
        redirect: 'manual',
      });
    const administrators = () =>
      service.storage.read(async ({ users }) => (await users.accounts()).filter((user) => user.role === 'administrator'));
    const storedSettings = async () => (await service.storage.read(({ settings }) => settings.all())).values;
    /** What every unknown path answers. */
    const expectUnknown = async (answer: Response) => {
      const unknown = await fetch(`${service.origin}/no-such-page`);
      expect([answer.status, await answer.text()]).to.deep.equal([404, await unknown.text()]);
      const namesOf = ({ headers }: Response) => [...headers.keys()].filter((name) => name !== 'x-request-id');
      expect(namesOf(answer)).to.deep.equal(namesOf(unknown));
    };

    it('creates the administrator, sets everything, and leads to the sign-in, which works', async () => {
      const answer = await post(filled);
      expect([answer.status, answer.headers.get('Location')]).to.deep.equal([303, '/sign-in?ready=1&to=/console']);
      const [boss, ...others] = await administrators();
      expect([boss?.login, boss?.email, others]).to.deep.equal(['boss', 'boss@shop.example', []]);
      expect(await storedSettings()).to.include(written);
      const hash = await service.storage.read(({ users }) => users.passwordHashOf(boss?.id ?? 0));
      expect(await verifyPassword(password, hash)).to.equal(true);
      expect(await service.signIn('boss', password)).to.include.keys('svc_session');
      expect((await service.settings.current()).store.name).to.equal('Ada & Sons');
    });

    it('shows the present settings, selects the add-ons, and takes the address by which it was reached', async () => {
      await service.settings.set('store.timezone', 'Asia/Kolkata');
      const answer = await open(token.value);
      const html = await answer.text();
      const valueOf = (name: string) => new RegExp(`name="${name}"[^>]* value="([^"]*)"( checked)?`).exec(html)?.slice(1);
      expect([answer.status, answer.headers.get('Referrer-Policy')]).to.deep.equal([200, 'no-referrer']);
      expect(['login', 'email', 'password'].map((name) => valueOf(name)?.[0])).to.deep.equal(['', '', '']);
      expect([valueOf('store_name')?.[0], valueOf('store_url')?.[0]]).to.deep.equal(['My store', 'https://example.com']);
      expect(html).to.include('<option value="USD" selected>').and.include('<option value="Asia/Kolkata" selected>');
      expect(valueOf('service_url')?.[0]).to.equal(service.origin);
      for (const name of ['addons_store', 'addons_insights', 'addons_management']) expect(valueOf(name)?.[1], name).to.equal(' checked');
      expect(valueOf('registration_open')?.[1]).to.equal(undefined);
      await service.settings.set('service.url', 'https://program.example');
      expect(await (await open(token.value)).text()).to.include('value="https://program.example"');
    });

    it('shows the fields in two titled parts of one form, with each problem at its field', async () => {
      const partsOf = (html: string) =>
        html
          .split('<fieldset')
          .slice(1)
          .map((part) => {
            const [, describedBy, title] = /^ aria-describedby="([^"]+)"><legend>([^<]+)<\/legend>/.exec(part) ?? [];
            expect(part).to.match(new RegExp(`<p class="hint" id="${describedBy}">[^<]+\\.</p>`));
            const [fields = '', rest = ''] = part.split('</fieldset>');
            const names = [...fields.matchAll(/ name="([a-z]+)/g)].map(([, name]) => name);
            const problems = [...fields.matchAll(/ id="([a-z_]+)-problem"/g)].map(([, name]) => name);
            return { title, starts: [...new Set(names)], problems, buttons: rest.split('<button>').length - 1 };
          });
      const account = { title: 'Your account', starts: ['login', 'email', 'password'], problems: [], buttons: 0 };
      const program = { title: 'Your program', starts: ['store', 'service', 'registration', 'addons'], problems: [], buttons: 1 };
      const html = await (await open(token.value)).text();
      expect([html.split('<form').length - 1, partsOf(html)]).to.deep.equal([1, [account, program]]);
      const refused = await (await post({ ...filled, email: 'boss', store_url: 'shop.example' })).text();
      expect(partsOf(refused)).to.deep.equal([
        { ...account, problems: ['email'] },
        { ...program, problems: ['store_url'] },
      ]);
      expect(await (await fetch(`${service.origin}/sign-in`)).text())
        .to.include('<form')
        .and.not.include('<fieldset');
    });

    it('does not exist without a token, with a guessed one, or with one for something else', async () => {
      const other = await service.storage.write((transaction) =>
        issueToken(transaction, { purpose: 'confirm-application' }, service.clock.now(), systemRandom),
      );
      await expectUnknown(await fetch(`${service.origin}/setup`));
      for (const guess of [other, 'x', token.value.slice(1), `${token.value}&token=${token.value}`]) await expectUnknown(await open(guess));
      for (const guess of ['', 'x', other]) await expectUnknown(await post({ ...filled, token: guess }));
      expect(await administrators()).to.deep.equal([]);
      expect((await open(token.value)).status, 'the right one').to.equal(200);
    });

    it('counts guesses as failed sign-ins, and then refuses the right token, too, in HTML', async () => {
      await service.settings.set('lockout.max_failures', 3);
      const statuses: number[] = [];
      for (let guess = 0; guess < 4; guess += 1) statuses.push((await open(`guess-${guess}`)).status);
      expect(statuses).to.deep.equal([404, 404, 404, 429]);
      const locked = await open(token.value);
      expect([locked.status, locked.headers.get('Content-Type')]).to.deep.equal([429, 'text/html; charset=utf-8']);
      expect(Number(locked.headers.get('Retry-After'))).to.be.within(1, 900);
      expect((await post(filled)).status).to.equal(429);
      expect((await fetch(`${service.origin}/setup`)).status, 'without a token').to.equal(404);
    });

    it('works once: the used token creates no second administrator, leads to the sign-in for an hour, and then nowhere', async () => {
      const other = { ...filled, login: 'other', email: 'other@shop.example' };
      expect((await post(filled)).status).to.equal(303);
      expect(await newToken(), 'a new start').to.equal('');
      for (const answer of [await fetch(`${service.origin}/setup?token=${token.value}`, { redirect: 'manual' }), await post(other)])
        expect([answer.status, answer.headers.get('Location')]).to.deep.equal([303, '/sign-in?ready=1&to=/console']);
      await expectUnknown(await open('x'));
      (service.clock as TestClock).advance(3600);
      await expectUnknown(await open(token.value));
      await expectUnknown(await post(other));
      expect(await administrators()).to.have.lengthOf(1);
    });

    it('creates one administrator if it is sent several times at once', async () => {
      const answers = await Promise.all(
        ['ada', 'bob', 'eve'].map((login) => post({ ...filled, login, email: `${login}@shop.example`, store_name: login })),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal([303, 303, 303]);
      const [first, ...others] = await administrators();
      expect([(await storedSettings())['store.name'], others]).to.deep.equal([first?.login, []]);
    });

    it('creates one administrator also in transactions at the same time, and none beside one that was made meanwhile', async () => {
      const create = (login: string, sent: string) =>
        service.storage.write((transaction) => {
          const user = { login, email: `${login}@shop.example`, displayName: login, passwordHash: null, registeredAt: service.clock.now() };
          return createFirstAdministrator(transaction, sent, user);
        });
      expect(await create('early', 'the token of an earlier start')).to.equal(false);
      const created = await Promise.all(['ada', 'bob', 'eve', 'kim'].map((login) => create(login, token.value)));
      expect(created.toSorted()).to.deep.equal([false, false, false, true]);
      const unused = await service.storage.write((transaction) => issueToken(transaction, { purpose: 'setup' }, 0, systemRandom));
      expect(await create('late', unused)).to.equal(false);
      expect(await administrators()).to.have.lengthOf(1);
    });

    it('does not exist any more once an administrator was made in another way, also when that one is disabled', async () => {
      expect((await open(token.value)).status).to.equal(200);
      const boss = await service.user('made', 'administrator');
      await expectUnknown(await post(filled));
      await expectUnknown(await open(token.value));
      await service.storage.write(({ users }) => users.setDisabledAt(boss.id, 1));
      await expectUnknown(await open(token.value));
      expect(await newToken()).to.equal('');
    });

    it('accepts only the token of the last start', async () => {
      const before = token.value;
      token.value = await newToken();
      await expectUnknown(await open(before));
      expect((await open(token.value)).status).to.equal(200);
    });

    it('names every wrong field at once, keeps what was typed but the password, and changes nothing', async () => {
      const before = await storedSettings();
      const wrong = {
        ...filled,
        login: 'the boss',
        email: 'boss',
        password: 'short',
        store_name: ' ',
        store_url: 'shop.example',
        store_currency: 'XX"X',
        store_timezone: 'Mars',
        service_url: 'https://program.example?x',
        registration_open: '',
      };
      const answer = await post(wrong);
      const html = await answer.text();
      expect([answer.status, await administrators(), await storedSettings()]).to.deep.equal([400, [], before]);
      for (const name of Object.keys(wrong).filter((field) => !/addons|registration/.test(field)))
        expect(html).to.match(
          new RegExp(`<p class="hint problem" id="${name}-problem">[^<]+</p><(input|select)[^>]* name="${name}"[^>]* aria-invalid`),
        );
      expect(html).to.include('Currency cannot be &quot;XX\\&quot;X&quot;. It must be an ISO 4217 currency code');
      expect(html).to.include('value="the boss"').and.include('value="shop.example"').and.not.include('short');
      expect(html)
        .to.match(/name="addons_store"[^>]* checked/)
        .and.not.match(/name="addons_insights"[^>]* checked/);
      expect((await post({ ...filled, password: 'boss@shop.example' })).status).to.equal(400);
      expect((await post({ ...filled, password: '1234567890' })).status).to.equal(400);
      expect((await post(filled)).status, 'the token is still valid').to.equal(303);
    });

    it('creates no administrator with settings that cannot change, and names a login that is taken', async () => {
      await service.user('boss', 'affiliate');
      const taken = await post({ ...filled, email: 'other@shop.example' });
      expect([taken.status, (await storedSettings())['store.currency']]).to.deep.equal([400, undefined]);
      expect(await taken.text()).to.include('Login is the login or e-mail of another user.');
      await service.settings.set('commission.fixed_per_order', 5);
      const refused = await post({ ...filled, login: 'ada', email: 'ada@shop.example' });
      expect([refused.status, await administrators(), (await storedSettings())['store.name']]).to.deep.equal([400, [], undefined]);
      expect(await refused.text()).to.include('Currency cannot change from USD to EUR: commission.fixed_per_order is an amount in USD.');
    });

    it('accepts no form that another site sends, and keeps what was typed', async () => {
      for (const cookie of ['', 'svc_form=other']) {
        const answer = await post(filled, cookie);
        expect([answer.status, (await answer.text()).includes('value="boss"')]).to.deep.equal([403, true]);
      }
      expect(await administrators()).to.deep.equal([]);
    });

    it('writes the token to no log line, and no password', async () => {
      await open(token.value);
      await post({ ...filled, store_currency: 'X' });
      await post(filled);
      await open(token.value);
      expect(service.log.join('')).to.include('"path":"/setup"').and.not.include(token.value).and.not.include(password);
    });
  });

  describe('the page /setup in production', () => {
    it('explains HTTPS where the token or a password would be sent in clear, and works on this machine', async () => {
      const service = await startService(engine, { env: { ENVIRONMENT: 'production' } });
      const path = (await service.storage.write((transaction) => issueSetupLink(transaction, Date.now(), systemRandom))) ?? '';
      const [here, there] = [await ask(service, path), await ask(service, path, { headers: { Host: 'program.example' } })];
      expect([here.status, there.status]).to.deep.equal([200, 403]);
      expect(there.body)
        .to.include('This page needs HTTPS')
        .and.include(`http://localhost:${new URL(service.origin).port}${path}<`);
      const body = String(new URLSearchParams({ ...filled, token: path.slice('/setup?token='.length), form_token: formToken }));
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: `svc_form=${formToken}` };
      const posted = (more: Record<string, string>) => ask(service, '/setup', { method: 'POST', headers: { ...headers, ...more }, body });
      expect((await posted({ Via: '1.1 proxy' })).status).to.equal(403);
      const accepted = await posted({});
      expect(accepted.status, accepted.body).to.equal(303);
    });
  });
});
