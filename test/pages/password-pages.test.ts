import { dictionary } from '@zxcvbn-ts/language-common';
import { expect } from 'chai';
import { findPasswordProblem } from '../../domain/users/password-rules.ts';
import { wholeDatabase } from '../attacks/whole-database.ts';
import { waitUntil } from '../cli/running-service.ts';
import { disconnectDuring } from '../support/aborted-body.ts';
import { mailsOf, submit } from '../support/applications.ts';
import type { Eml } from '../support/eml.ts';
import { onAnyEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { PageVisitor, type VisitedPage } from '../support/page-visitor.ts';
import { startService, TestClock } from '../support/service.ts';

const serviceUrl = 'https://partners.fjell.example';
const chosen = 'four quiet fjords';

const linkIn = (mail: Eml | undefined): string => /https:\/\/partners\.fjell\.example(\/\S+)/.exec(mail?.parts[0]?.text ?? '')?.[1] ?? '';

const raise = (sentence: string): never => {
  throw new Error(sentence);
};

describe('the rules of passwords', () => {
  const ann = { login: 'ann-of-fjell', email: 'ann@fjell.example' };

  const fullWidth = (text: string): string => text.replaceAll(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));

  it('refuse the 10,000 most common passwords, in capitals and full-width letters too', async () => {
    const common = dictionary['passwords-common'].slice(0, 10_000);
    expect(common).to.have.length(10_000);
    for (const password of common)
      for (const variant of [password, password.toUpperCase(), fullWidth(password)])
        expect(await findPasswordProblem(variant, ann), variant).not.to.equal(null);
  });

  it('refuse less than 10 characters, the login and the email, and accept anything else', async () => {
    for (const password of ['', 'ninechars', 'ANN-of-fjell', 'Ann@Fjell.example', 'x'.repeat(1001)])
      expect(await findPasswordProblem(password, ann), password).not.to.equal(null);
    for (const password of ['tenletters', '日本語のパスワードです。', chosen, 'x'.repeat(1000)])
      expect(await findPasswordProblem(password, ann), password).to.equal(null);
  });
});

onAnyEngine((engine) => {
  describe('the pages for a forgotten password', () => {
    const clock = suiteFixture(async () => new TestClock());
    const service = suiteFixture(() => startService(engine, { clock }));
    before(() => service.settings.set('service.url', serviceUrl));
    beforeEach(() => clock.advance(3700));

    async function askFor(name: string): Promise<VisitedPage> {
      const visitor = new PageVisitor(service.origin);
      await visitor.open('/forgot-password');
      const page = await visitor.submit({ name });
      await service.flush();
      return page;
    }

    /** The link of the newest mail. */
    const newestLink = async (): Promise<string> => linkIn((await mailsOf(service)).at(-1));

    async function openLink(path: string): Promise<PageVisitor> {
      const visitor = new PageVisitor(service.origin);
      await visitor.open(path);
      return visitor;
    }

    it('mail the link also to a person whose browser disconnects before the response', async () => {
      await service.user('vanished', 'affiliate');
      const visitor = new PageVisitor(service.origin);
      await visitor.open('/forgot-password');
      const before = (await mailsOf(service)).length;
      await disconnectDuring(service, visitor.toRequest({ name: 'vanished' }));
      await waitUntil(5000, async () => (await mailsOf(service)).length > before);
      expect((await mailsOf(service)).at(-1)?.headers.get('to')).to.include('vanished@shop.example');
      await service.flush();
    });

    it('mail a link, which sets a new password once, ends all sessions, keeps keys, and is told by mail', async () => {
      const user = await service.user('lost', 'affiliate', { password: 'the old password' });
      const { headers } = await service.key(user, ['read']);
      const session = await service.session('lost', 'the old password');
      await askFor('LOST@shop.example');
      const path = await newestLink();
      expect(path).to.match(/^\/set-password\?token=[\w-]{43}$/);
      const visitor = await openLink(path);
      expect(visitor.page.html).to.include('value="lost"');
      expect(await service.signIn('lost', 'the old password')).to.have.property('svc_session');

      const done = await visitor.submit({ password: chosen, repeated: chosen });
      expect([done.status, 'svc_session' in visitor.cookies]).to.deep.equal([200, false]);
      expect((await mailsOf(service)).at(-1)?.headers.get('subject')).to.equal('My store: your password was changed');
      expect(await service.signIn('lost', 'the old password')).not.to.have.property('svc_session');
      expect(await service.signIn('lost', chosen)).to.have.property('svc_session');
      expect((await (await service.client({ Cookie: session['Cookie'] ?? '' })).get('/me')).status).to.equal(401);
      expect((await (await service.client(headers)).get('/me')).status).to.equal(200);
      expect((await openLink(path)).page.status).to.equal(404);
    });

    it('use one link once when it is sent many times at once', async () => {
      await service.user('racer', 'affiliate');
      await askFor('racer');
      const path = await newestLink();
      const visitors = await Promise.all(Array.from({ length: 6 }, () => openLink(path)));
      const passwords = visitors.map((_, at) => `password of visitor ${at}`);
      const statuses = await Promise.all(
        visitors.map(async (visitor, at) => {
          const { status } = await visitor.submit({ password: passwords[at] ?? '', repeated: passwords[at] ?? '' });
          return status;
        }),
      );
      expect(statuses.filter((status) => status === 200)).to.have.length(1);
      // A link has two places in the queue of password hashing: what finds none is refused with 503, and can be sent again.
      for (const status of statuses) expect(status).to.be.oneOf([200, 404, 503]);
      expect(await service.signIn('racer', passwords[statuses.indexOf(200)] ?? '')).to.have.property('svc_session');
    });

    it('answer the same page for every name, and mail nothing to a disabled or unknown user', async () => {
      await service.user('there', 'affiliate');
      const gone = await service.user('gone', 'affiliate');
      await service.storage.write(({ users }) => users.setDisabledAt(gone.id, clock.now()));
      const before = (await mailsOf(service)).length;
      const pages: string[] = [];
      for (const name of ['there', 'gone', 'nobody', 'no@body.example', '', "' or 1=1 --", 'x'.repeat(5000), '\0'])
        pages.push((await askFor(name)).html);
      expect(new Set(pages).size).to.equal(1);
      const sent = (await mailsOf(service)).slice(before);
      expect(sent.map(({ headers }) => headers.get('to'))).to.deep.equal(['The there <there@shop.example>']);
    });

    it('send at most 3 mails an hour to an account, and take at most 20 requests an hour from an address', async () => {
      await service.user('victim', 'affiliate');
      const before = (await mailsOf(service)).length;
      const statuses: number[] = [];
      for (let number = 0; number < 22; number += 1) statuses.push((await askFor('victim')).status);
      expect(statuses).to.deep.equal([...Array(20).fill(200), 429, 429]);
      expect((await mailsOf(service)).length - before).to.equal(3);
      clock.advance(3700);
      await askFor('victim');
      expect((await mailsOf(service)).length - before).to.equal(4);
    });

    it('end a link after one hour, with a new password, a new email address, or a disabled account', async () => {
      const endings: Record<string, (id: number) => Promise<unknown>> = {
        late: async () => clock.advance(3601),
        reset: async () => (await openLink(links['reset2'] ?? '')).submit({ password: chosen, repeated: chosen }),
        moved: (id) =>
          service.storage.write(async ({ userRecords }) => {
            const { id: _id, ...record } = (await userRecords.byLogin('moved')) ?? raise('There is no such user.');
            await userRecords.change(id, { ...record, email: 'elsewhere@shop.example' });
          }),
        disabled: (id) => service.storage.write(({ users }) => users.setDisabledAt(id, clock.now())),
      };
      const links: Record<string, string> = {};
      for (const [login, end] of Object.entries(endings)) {
        const { id } = await service.user(login, 'affiliate');
        await askFor(login);
        links[login] = await newestLink();
        if (login === 'reset') {
          await askFor(login);
          links['reset2'] = await newestLink();
        }
        expect((await openLink(links[login] ?? '')).page.status, login).to.equal(200);
        await end(id);
        expect((await openLink(links[login] ?? '')).page.status, login).to.equal(404);
      }
    });

    it('refuse weak, different and cross-site passwords without using the link up', async () => {
      await service.user('careful', 'affiliate');
      await askFor('careful');
      const visitor = await openLink(await newestLink());
      for (const [password, repeated, words] of [
        ['short', 'short', 'at least 10 characters'],
        ['careful@shop.example', 'careful@shop.example', 'must not be your login'],
        ['1234567890', '1234567890', 'most common'],
        [chosen, `${chosen}!`, 'differ'],
      ] as const) {
        const page = await visitor.submit({ password, repeated });
        expect([page.status, page.html.includes(words), page.html.includes(password)]).to.deep.equal([400, true, false]);
      }
      const forged = await visitor.submit({ password: chosen, repeated: chosen, form_token: 'x'.repeat(32) });
      const crossSite = await visitor.submit({ password: chosen, repeated: chosen }, { 'Sec-Fetch-Site': 'cross-site' });
      expect([forged.status, crossSite.status]).to.deep.equal([403, 403]);
      expect((await visitor.submit({ password: chosen, repeated: chosen })).status).to.equal(200);
    });

    it('accept no guessed token, no token of another purpose, and none that is stored', async () => {
      await service.user('target', 'affiliate');
      await askFor('target');
      const token = (await newestLink()).split('=')[1] ?? '';
      const hash = (await import('node:crypto')).createHash('sha256').update(token).digest('hex');
      for (const guess of ['', token.slice(1), `${token}A`, token.toLowerCase(), hash, '%00', `${token}&token=${token}`])
        expect((await openLink(`/set-password?token=${guess}`)).page.status, guess).to.equal(404);
      expect((await openLink(`/confirm-application?token=${token}`)).page.status).to.equal(404);
      expect((await openLink(`/set-password?token=${token}`)).page.status).to.equal(200);
    });

    it('put the token into no log line, no referrer and no frame, and ignore the Host header', async () => {
      await service.user('private', 'affiliate');
      const visitor = new PageVisitor(service.origin, { 'X-Forwarded-Host': 'evil.example' });
      await visitor.open('/forgot-password');
      await visitor.submit({ name: 'private' });
      await service.flush();
      const mail = (await mailsOf(service)).at(-1);
      expect(JSON.stringify(mail?.parts)).not.to.include('evil.example');
      const path = linkIn(mail);
      const { headers } = (await openLink(path)).page;
      expect(headers.get('Referrer-Policy')).to.equal('no-referrer');
      expect(headers.get('Cache-Control')).to.equal('no-store');
      expect(headers.get('X-Frame-Options')).to.equal('DENY');
      expect(headers.get('Content-Security-Policy')).to.include("frame-ancestors 'none'");
      expect(service.log.join('')).not.to.include(path.split('=')[1] ?? 'missing');
    });

    it('leave no link in the database once the mail is sent', async () => {
      await service.user('copied', 'affiliate');
      await askFor('copied');
      expect(await newestLink()).to.match(/^\/set-password/);
      const { mails, one_time_tokens: tokens } = await wholeDatabase(engine, service.databaseUrl);
      expect(tokens).not.to.deep.equal([]);
      expect(JSON.stringify([mails, tokens])).not.to.include('token=');
    });

    it('say what to do where the address of the service is not set', async () => {
      await service.withSetting('service.url', '', async () => {
        const { html } = await new PageVisitor(service.origin).open('/forgot-password');
        expect(html).to.include('service.url').and.not.to.include('<form');
      });
    });

    it('are linked by the mail of an accepted application, for 72 hours; an affiliate with a password gets none', async () => {
      await service.user('veteran', 'affiliate', { password: 'the old password' });
      const admin = await service.clientOf(await service.user('decider', 'administrator'));
      const accept = async (application: object): Promise<Eml | undefined> => {
        const id = await submit(service, application);
        await admin.post(`/registrations/${id}/status`, { json: { status: 'accepted' } });
        return (await mailsOf(service)).at(-1);
      };
      const known = await accept({ login: 'veteran', email: 'veteran@shop.example', couponCode: 'VET' });
      expect(linkIn(known)).to.equal('/sign-in');
      const path = linkIn(await accept({ login: 'fresh', email: 'fresh@shop.example', couponCode: 'FRESH' }));
      clock.advance(72 * 3600 - 60);
      const visitor = await openLink(path);
      expect((await visitor.submit({ password: chosen, repeated: chosen })).status).to.equal(200);
      expect(await service.signIn('fresh', chosen)).to.have.property('svc_session');
      const late = linkIn(await accept({ login: 'late2', email: 'late2@shop.example', couponCode: 'LATE2' }));
      clock.advance(72 * 3600 + 1);
      expect((await openLink(late)).page.status).to.equal(404);
    });
  });
});
