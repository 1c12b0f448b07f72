import { expect } from 'chai';
import { waitUntil } from '../cli/running-service.ts';
import { disconnectDuring } from '../support/aborted-body.ts';
import { mailsOf } from '../support/applications.ts';
import { onAnyEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { PageVisitor, type VisitedPage } from '../support/page-visitor.ts';
import { coupon } from '../support/program.ts';
import { startService, TestClock, type TestService } from '../support/service.ts';

const serviceUrl = 'https://partners.fjell.example';

const anna = {
  display_name: 'Anna <b>Berg</b>',
  email: 'anna.berg+shop@example.com',
  website: 'https://anna.example',
  promote: 'My newsletter\nand my friends',
  coupon_code: 'ANNA10',
};

const linkIn = (text: string): string => /https:\/\/partners\.fjell\.example(\/\S+)/.exec(text)?.[1] ?? '';

onAnyEngine((engine) => {
  describe('applying online', () => {
    const clock = suiteFixture(async () => new TestClock());
    const service = suiteFixture(() => startService(engine, { clock }));
    before(async () => {
      await service.settings.set('registration.open', true);
      await service.settings.set('service.url', serviceUrl);
      await service.settings.set('store.name', 'Fjell & Sons');
    });
    // The windows of all limits are over.
    beforeEach(() => clock.advance(3700));

    /** Fills the form in as a person does. */
    async function applyWith(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<VisitedPage> {
      const visitor = new PageVisitor(service.origin, headers);
      await visitor.open('/apply');
      clock.advance(4);
      const page = await visitor.submit(fields);
      await service.flush();
      return page;
    }

    const newMails = async (since: number) => (await mailsOf(service)).slice(since);
    const countMails = async (): Promise<number> => (await mailsOf(service)).length;

    it('sends a mail with a link; the store sees the application once the link was confirmed', async () => {
      const admin = await service.clientOf(await service.user('reviewer', 'administrator'));
      const before = await countMails();
      const page = await applyWith(anna);
      expect([page.status, page.html]).to.satisfy(
        ([status, html]: [number, string]) => status === 200 && html.includes('Check your inbox'),
      );
      expect((await admin.get('/registrations')).body).to.deep.equal([]);

      const [mail] = await newMails(before);
      // Without the name, which a stranger may have written.
      expect(mail?.headers.get('to')).to.equal('anna.berg+shop@example.com');
      expect(mail?.headers.get('subject')).to.equal('Fjell & Sons: confirm your application');
      const path = linkIn(mail?.parts[0]?.text ?? '');
      expect(path).to.match(/^\/confirm-application\?token=[\w-]{43}$/);
      expect(mail?.parts[1]?.text).to.include(`href="${serviceUrl}${path}"`).and.not.to.include('<b>');

      const visitor = new PageVisitor(service.origin);
      await visitor.open(path);
      await visitor.open(path);
      expect(visitor.page.html).to.include('Anna &lt;b&gt;Berg&lt;/b&gt;').and.include('ANNA10');
      expect((await admin.get('/registrations')).body).to.deep.equal([]);
      expect((await visitor.submit({})).html).to.include('Thank you');
      const [registration] = (await admin.get('/registrations')).body;
      expect(registration).to.include({ coupon_code: 'ANNA10', status: 'pending' });
      expect(JSON.stringify(registration)).to.include('anna.berg-shop').and.include('My newsletter');
      for (const again of [await visitor.open(path), await new PageVisitor(service.origin).open(path)]) expect(again.status).to.equal(404);
    });

    it('makes the whole address the login, with random characters where it does not fit, so that no login is a user of the shop', async () => {
      const admin = await service.clientOf(await service.user('chief', 'administrator'));
      const join = async (email: string, coupon_code: string) => {
        const before = await countMails();
        await applyWith({ ...anna, email, coupon_code });
        const visitor = new PageVisitor(service.origin);
        await visitor.open(linkIn((await newMails(before))[0]?.parts[0]?.text ?? ''));
        await visitor.submit({});
        const [{ id, applicant }] = (await admin.get(`/registrations?search=${coupon_code}`)).body;
        const { user } = (await admin.post(`/registrations/${id}/status`, { json: { status: 'accepted', send_email: false } })).body;
        expect(user.login).to.equal(applicant.login);
        return user;
      };
      const mallory = await join('bob@other.example', 'MALLORY');
      expect(mallory.login).to.equal('bob@other.example');
      expect((await join('eve+bob@other.example', 'EVE')).login).to.match(/^eve-bob-other\.example-[0-9a-f]{8}$/);
      const long = `${'b'.repeat(50)}@other.example`;
      expect((await join(long, 'LONG')).login).to.match(/^b{50}--[0-9a-f]{8}$/);

      await service.withSetting('addons.store', true, async () => {
        const bob = { login: 'bob', email: 'bob@shop.example', display_name: 'Bob' };
        const [{ outcome, id }] = (await admin.post('/store/affiliates', { json: [bob] })).body;
        expect(outcome).to.equal('created');
        await admin.post('/store/coupons', { json: [{ code: 'BOB10', user: 'bob' }] });
        const [coupon] = (await admin.get('/coupons?search=BOB10')).body;
        expect(coupon.user_id).to.equal(id).and.not.to.equal(mallory.id);
        const takeover = [{ login: mallory.login, email: 'other@shop.example', display_name: 'Other' }];
        expect((await admin.post('/store/affiliates', { json: takeover })).body[0].reason).to.include(`send its id ${mallory.id} with it`);
      });
    });

    it('sends the mail also to an applicant whose browser disconnects before the response', async () => {
      const visitor = new PageVisitor(service.origin);
      await visitor.open('/apply');
      clock.advance(4);
      const before = await countMails();
      await disconnectDuring(service, visitor.toRequest({ ...anna, email: 'gone@example.com', coupon_code: 'GONE10' }));
      await waitUntil(5000, async () => (await countMails()) > before);
      expect((await newMails(before))[0]?.headers.get('to')).to.equal('gone@example.com');
      await service.flush();
    });

    it('is confirmed once when the form is sent twice at once', async () => {
      const admin = await service.clientOf(await service.user('racer', 'administrator'));
      const before = await countMails();
      await applyWith({ ...anna, email: 'twice@example.com', coupon_code: 'TWICE' });
      const path = linkIn((await newMails(before))[0]?.parts[0]?.text ?? '');
      const visitors = await Promise.all(
        [1, 2, 3, 4].map(async () => {
          const visitor = new PageVisitor(service.origin);
          await visitor.open(path);
          return visitor;
        }),
      );
      const statuses = await Promise.all(visitors.map(async (visitor) => (await visitor.submit({})).status));
      expect(statuses.toSorted()).to.deep.equal([200, 404, 404, 404]);
      expect((await admin.get('/registrations?search=twice@example.com')).body).to.have.length(1);
    });

    it('answers a known address as an unknown one, and tells only the owner of the address', async () => {
      await service.user('known', 'affiliate');
      const before = await countMails();
      const normalized = ({ html }: VisitedPage): string => html.replaceAll(/(known|new)@shop\.example/g, 'ADDRESS');
      const pages = [
        await applyWith({ ...anna, email: 'known@shop.example', coupon_code: 'KNOWN1' }),
        await applyWith({ ...anna, email: 'new@shop.example', coupon_code: 'KNOWN2' }),
      ];
      expect(normalized(pages[0] as VisitedPage)).to.equal(normalized(pages[1] as VisitedPage));
      expect(pages.map(({ status }) => status)).to.deep.equal([200, 200]);
      expect((await newMails(before)).map(({ headers }) => headers.get('subject'))).to.deep.equal([
        'Fjell & Sons: you have an account already',
        'Fjell & Sons: confirm your application',
      ]);
    });

    it('shows every problem at once, keeps the answers, and sends nothing', async () => {
      const before = await countMails();
      const page = await applyWith({ ...anna, display_name: '', email: 'nobody', website: 'javascript:alert(1)', coupon_code: 'a b' });
      expect(page.status).to.equal(400);
      for (const sentence of ['Name must be', 'E-mail must be', 'Website must be', 'Coupon code must have'])
        expect(page.html).to.include(sentence);
      expect(page.html).to.include('value="nobody"').and.include('My newsletter\nand my friends');
      expect(await newMails(before)).to.deep.equal([]);
    });

    it('takes 5,000 characters of any script however many bytes they have, and shows the form again for more', async () => {
      const lines = `${'я'.repeat(2499)}\r\n${'漢'.repeat(2500)}`;
      const page = await applyWith({ ...anna, email: 'long@example.com', coupon_code: 'LONG10', promote: lines });
      expect([page.status, page.html.includes('Check your inbox')]).to.deep.equal([200, true]);
      const longer = await applyWith({ ...anna, coupon_code: 'LONG11', promote: `${lines}!` });
      expect(longer.status).to.equal(400);
      expect(longer.html).to.include('must be at most 5000 characters').and.include('漢!').and.include('maxlength="5000"');
      const tooLong = await applyWith({ ...anna, promote: '漢'.repeat(10_000) });
      expect(tooLong.status).to.equal(413);
      expect(tooLong.html).to.include('Your answers are too long to be read.').and.include('action="/apply"');
    });

    it('refuses a code that a coupon has', async () => {
      await coupon(service, 'TAKEN');
      expect((await applyWith({ ...anna, coupon_code: 'taken' })).html).to.include('Coupon code is taken.');
    });

    it('tells of at most 20 codes an hour whether they are taken, and of none before all else is right', async () => {
      const visitor = new PageVisitor(service.origin);
      await visitor.open('/apply');
      clock.advance(4);
      expect((await visitor.submit({ ...anna, email: 'bad', coupon_code: 'TAKEN' })).html).not.to.include('is taken');
      const statuses: number[] = [];
      for (let number = 0; number < 21; number += 1) statuses.push((await visitor.submit({ ...anna, coupon_code: 'TAKEN' })).status);
      expect(statuses).to.deep.equal([...Array(20).fill(400), 429]);
    });

    it('can be sent after a day: the form gets a new time', async () => {
      const visitor = new PageVisitor(service.origin);
      await visitor.open('/apply');
      clock.advance(25 * 3600);
      expect((await visitor.submit({ ...anna, email: 'slow@example.com', coupon_code: 'SLOW' })).html).to.include('too old');
      clock.advance(4);
      expect((await visitor.submit({ ...anna, email: 'slow@example.com', coupon_code: 'SLOW' })).status).to.equal(200);
      await service.flush();
    });

    it('takes one application from one form, which may be corrected before: a form sent twice is shown with a new time', async () => {
      const visitor = new PageVisitor(service.origin);
      await visitor.open('/apply');
      const { shown_at: shownAt = '' } = visitor.hidden();
      clock.advance(4);
      await visitor.submit({ ...anna, email: 'nobody' });
      expect([visitor.page.status, visitor.hidden()['shown_at']]).to.deep.equal([400, shownAt]);
      const before = await countMails();
      const form = { ...anna, email: 'once@example.com', shown_at: shownAt, form_token: visitor.hidden()['form_token'] ?? '' };
      expect((await visitor.submit(form)).status).to.equal(200);
      await visitor.open('/apply');
      expect((await visitor.submit(form)).html)
        .to.include('Your application was sent already')
        .and.include('value="once@example.com"');
      expect(visitor.page.status).to.equal(400);
      await service.flush();
      expect(await newMails(before)).to.have.length(1);
      expect(visitor.hidden()['shown_at']).not.to.equal(shownAt);
      clock.advance(4);
      expect((await visitor.submit(anna)).status).to.equal(200);
      await service.flush();
    });

    it('answers a filled hidden field like a success, whatever else was sent, and counts no attempt', async () => {
      const before = await countMails();
      for (const rest of [anna, { ...anna, email: 'robot@x' }, { ...anna, coupon_code: 'TAKEN' }, anna, anna, anna]) {
        const visitor = new PageVisitor(service.origin);
        await visitor.open('/apply');
        expect((await visitor.submit({ ...rest, company: 'Robots Inc' })).html).to.include('Check your inbox');
        expect(visitor.page.status).to.equal(200);
      }
      await service.flush();
      expect(await newMails(before)).to.deep.equal([]);
      expect((await applyWith({ ...anna, email: 'person@example.com' })).status).to.equal(200);
    });

    it('sends no mail for a robot: one that is too quick, fills in the hidden field, or forges the time', async () => {
      const before = await countMails();
      const visitor = new PageVisitor(service.origin);
      await visitor.open('/apply');
      expect((await visitor.submit({ ...anna, email: 'robot@example.com' })).status).to.equal(400);
      expect(visitor.page.html).to.include('very quick');
      const forged = `${clock.now() - 60_000}.${visitor.hidden()['shown_at']?.split('.')[1]}`;
      expect((await visitor.submit({ ...anna, email: 'robot@example.com', shown_at: forged })).status).to.equal(400);
      clock.advance(4);
      expect((await visitor.submit({ ...anna, email: 'robot@example.com', company: 'Robots Inc' })).status).to.equal(200);
      await service.flush();
      expect(await newMails(before)).to.deep.equal([]);
    });

    it('requires the terms where there are some, and links to them', async () => {
      await service.withSetting('registration.terms_url', 'https://fjell.example/terms', async () => {
        const page = await applyWith({ ...anna, coupon_code: 'TERMS1' });
        expect(page.status).to.equal(400);
        expect(page.html).to.include('href="https://fjell.example/terms"').and.include('Accept the terms');
        expect((await applyWith({ ...anna, coupon_code: 'TERMS1', terms: 'yes' })).status).to.equal(200);
      });
    });

    it('does not exist while the program is closed, or while links cannot be made', async () => {
      for (const [path, value] of [
        ['registration.open', false],
        ['service.url', ''],
      ] as const)
        await service.withSetting(path, value, async () => {
          expect((await new PageVisitor(service.origin).open('/apply')).status).to.equal(404);
        });
    });

    it('takes 5 an hour from one address, then answers 429 with a page', async () => {
      const statuses: number[] = [];
      for (let number = 0; number < 7; number += 1)
        statuses.push((await applyWith({ ...anna, email: `many${number}@example.com` })).status);
      expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 429, 429]);
    });

    it('expires after 24 hours', async () => {
      const before = await countMails();
      await applyWith({ ...anna, email: 'late@example.com', coupon_code: 'LATE' });
      const path = linkIn((await newMails(before))[0]?.parts[0]?.text ?? '');
      clock.advance(24 * 3600 - 60);
      expect((await new PageVisitor(service.origin).open(path)).status).to.equal(200);
      clock.advance(61);
      expect((await new PageVisitor(service.origin).open(path)).status).to.equal(404);
    });
  });

  describe('the limits of applying online', () => {
    it('are 50 an hour for a /48 of IPv6, 100 in all, and 3 mails to one address', async () => {
      const clock = new TestClock();
      const service: TestService = await startService(engine, { clock, env: { TRUSTED_PROXIES: '127.0.0.1' } });
      await service.settings.set('registration.open', true);
      await service.settings.set('service.url', serviceUrl);
      const statuses: number[] = [];
      for (let number = 0; number < 104; number += 1) {
        const address = number < 52 ? `2001:db8:1:${number}::1` : `198.51.100.${number}`;
        const visitor = new PageVisitor(service.origin, { 'X-Forwarded-For': address });
        await visitor.open('/apply');
        clock.advance(4);
        statuses.push((await visitor.submit({ ...anna, email: 'Victim@example.com' })).status);
      }
      await service.flush();
      expect(statuses.filter((status) => status === 200)).to.have.length(100);
      expect([...statuses.slice(50, 52), ...statuses.slice(102)]).to.deep.equal([429, 429, 429, 429]);
      expect(await mailsOf(service)).to.have.length(3);
      await service.stop();
    });
  });
});
