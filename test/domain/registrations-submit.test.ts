import { expect } from 'chai';
import { ApiError } from '../../domain/errors.ts';
import type { Application } from '../../domain/registrations/application.ts';
import { type Submission, submitApplication } from '../../domain/registrations/submit.ts';
import { savedUser } from '../db/samples.ts';
import { march, trail } from '../support/applications.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';

const now = Date.parse('2026-11-02T07:00:00Z');

onAnyEngine((engine) => {
  describe('a submitted application', () => {
    const database = testFixture(() => engine.open());
    const observer = testFixture(() => engine.observe(database.url));

    const submit = (application: Partial<Application> = {}): Promise<Submission> =>
      database.write((transaction) =>
        submitApplication(transaction, { ...trail, ...application }, { program: { zone: 'Europe/Oslo' }, now }),
      );
    const count = async (table: string): Promise<number> => {
      const [row] = await observer.query<{ count: unknown }>(`select count(*) as count from ${table}`);
      return Number(row?.count);
    };
    const refused = async (application: Partial<Application>): Promise<Record<string, string> | undefined> => {
      const error = await submit(application).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof ApiError)) throw new Error('It was not refused.');
      expect(error.code).to.equal('rest_invalid_param');
      return error.details.data?.params;
    };

    it('waits for a decision, as it was sent, and is recorded in the feed', async () => {
      const { registration, existing } = await submit();
      expect(existing).to.equal(false);
      expect(registration).to.deep.include({
        id: 1,
        status: 'pending',
        type: 'affiliate',
        userId: null,
        createdAt: march,
        message: '',
        couponId: null,
      });
      expect(await database.read(({ registrations }) => registrations.byId(1))).to.deep.equal(registration);
      const [event] = await observer.query<Record<string, unknown>>('select kind, type, object_type, user_id, data from events');
      expect(event).to.include({ kind: 'registration', type: 'registration.created', object_type: 'registration' });
      expect(JSON.parse(String(event?.['data']))).to.deep.equal({
        registration_id: 1,
        user_id: 0,
        coupon_code: 'TRAIL10',
        status: 'pending',
        type: 'affiliate',
        date: '2026-03-01T18:20:00',
      });
    });

    it('needs no more than a login, an email and a name', async () => {
      const { registration } = await database.write((transaction) =>
        submitApplication(transaction, { login: 'a', email: 'a@b.example', displayName: 'A' }, { program: { zone: 'UTC' }, now }),
      );
      expect(registration).to.deep.include({
        couponCode: '',
        promote: '',
        website: '',
        type: 'affiliate',
        customFields: {},
        createdAt: now,
      });
    });

    it('is one application however often it is sent, by its id, its date, or its code', async () => {
      const first = await submit({ id: 7 });
      const again = [
        await submit({ id: 7 }),
        await submit({ id: 7, at: undefined, email: 'HELLO@trailnotes.example' }),
        await submit({ id: 9, email: 'Hello@Trailnotes.example' }),
        await submit(),
        await submit({ at: undefined, couponCode: 'trail10' }),
      ];
      for (const submission of again) expect(submission).to.deep.equal({ registration: first.registration, existing: true });
      expect([await count('registrations'), await count('events')]).to.deep.equal([1, 1]);
    });

    it('is another one when the person applies again, on another day or for another code', async () => {
      await submit();
      expect((await submit({ at: march + 1000 })).existing).to.equal(false);
      expect((await submit({ at: undefined, couponCode: 'OTHER' })).existing).to.equal(false);
      expect((await submit({ at: undefined, couponCode: 'A THIRD' })).existing).to.equal(false);
      expect(await count('registrations')).to.equal(4);
    });

    it('uses the provided id where it is free, and later ids continue after the highest', async () => {
      const idOf = async (application: Partial<Application>): Promise<number> => (await submit(application)).registration.id;
      expect(await idOf({ id: 40 })).to.equal(40);
      expect(await idOf({ email: 'b@b.example' })).to.equal(41);
      expect(await idOf({ email: 'c@b.example', id: 5 })).to.equal(5);
      expect(await idOf({ email: 'd@b.example' })).to.equal(42);
      expect(await idOf({ email: 'e@b.example', id: 40 })).to.equal(43);
    });

    it('is recorded once when it is sent concurrently, and ids are unique', async () => {
      const sent = Array.from({ length: 20 }, (_, index) =>
        Promise.all([submit({ id: 3 }), submit({ email: `a${index}@b.example`, id: index + 1 }), submit({ email: `b${index}@b.example` })]),
      );
      const submissions = (await Promise.all(sent)).flat();
      expect(submissions.filter(({ existing }) => !existing)).to.have.length(41);
      expect(new Set(submissions.map(({ registration }) => registration.id)).size).to.equal(41);
      expect([await count('registrations'), await count('events')]).to.deep.equal([41, 41]);
    });

    it('belongs to the user with the same email, never to one who merely has the login', async () => {
      const customer = await savedUser(database, { login: 'someone', email: 'HELLO@trailnotes.example', role: 'customer' });
      await savedUser(database, { login: 'trailnotes', email: 'other@b.example' });
      await savedUser(database, { login: 'new@b.example', email: 'third@b.example' });
      expect((await submit()).registration.userId).to.equal(customer);
      expect((await submit({ email: 'new@b.example' })).registration.userId).to.equal(null);
      const events = await observer.query<{ user_id: unknown }>('select user_id from events order by id');
      expect(events.map(({ user_id }) => Number(user_id))).to.deep.equal([customer, 0]);
    });

    it('is refused with what is wrong with each field, and nothing is stored', async () => {
      const cases: [Partial<Application>, string][] = [
        [{ id: 0 }, 'id'],
        [{ id: 1.5 }, 'id'],
        [{ id: Number.MAX_SAFE_INTEGER }, 'id'],
        [{ login: '' }, 'login'],
        [{ login: 'two words' }, 'login'],
        [{ email: 'no-address' }, 'email'],
        [{ email: 'a@b.example\r\nBcc: c@d.example' }, 'email'],
        [{ email: 'a@b.example,c@d.example' }, 'email'],
        [{ email: '<a@b.example>' }, 'email'],
        [{ email: `${'a'.repeat(250)}@b.example` }, 'email'],
        [{ displayName: '' }, 'display_name'],
        [{ displayName: 'A\r\nBcc: c@d.example' }, 'display_name'],
        [{ couponCode: 'x'.repeat(101) }, 'coupon_code'],
        [{ couponCode: ' TRAIL10' }, 'coupon_code'],
        [{ website: 'javascript:alert(1)' }, 'website'],
        [{ website: 'data:text/html,x' }, 'website'],
        [{ promote: 'x'.repeat(5001) }, 'promote'],
        [{ referrer: 'a\0b' }, 'referrer'],
        [{ type: 'a\nb' }, 'type'],
        [{ customFields: { long: 'x'.repeat(50_001) } }, 'custom_fields'],
        [{ customFields: { many: Array.from({ length: 500 }, () => 1) } }, 'custom_fields'],
        [{ at: Number.NaN }, 'date'],
      ];
      for (const [application, field] of cases)
        expect(await refused(application), JSON.stringify(application).slice(0, 80)).to.have.all.keys(field);
      expect(await refused({ login: '', email: '' })).to.have.all.keys('login', 'email');
      expect([await count('registrations'), await count('events')]).to.deep.equal([0, 0]);
    });

    it('accepts a website without a scheme', async () => {
      for (const [index, website] of ['trailnotes.example/about', 'HTTP://trailnotes.example:8080/', ''].entries())
        expect((await submit({ at: march + index, website })).registration.website).to.equal(website);
    });
  });

  describe('a page of applications', () => {
    it('past the end is empty without a query for its rows', async () => {
      const statements: string[] = [];
      const database = await engine.open({ onStatement: (sql) => void statements.push(sql) });
      await database.write((transaction) => submitApplication(transaction, trail, { program: { zone: 'UTC' }, now }));
      statements.length = 0;
      const page = (number: number) =>
        database.read(({ registrations }) => registrations.page({ search: 'trail' }, { page: number, perPage: 10 }));
      expect(await page(2)).to.deep.equal({ items: [], total: 1 });
      expect(statements.filter((sql) => /from "?registrations/i.test(sql))).to.have.length(1);
      expect((await page(1)).items).to.have.length(1);
    });
  });
});
