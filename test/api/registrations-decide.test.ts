import { expect } from 'chai';
import type { Application } from '../../domain/registrations/application.ts';
import type { Role } from '../../domain/users/user.ts';
import { mailsOf, march, submit as submitTo } from '../support/applications.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon } from '../support/program.ts';
import { testService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('deciding on an application', () => {
    const { service, admin, administrator, clock } = testService(engine, {
      now: '2026-03-02T08:15:00Z',
      settings: { 'store.timezone': 'Europe/Oslo' },
    });

    const submit = (application: Partial<Application> = {}): Promise<number> => submitTo(service, application);
    const decide = (id: number, json: Record<string, unknown>, by = admin) => by.post(`/registrations/${id}/status`, { json });
    const accept = (id: number) => decide(id, { status: 'accepted' });
    const decline = (id: number) => decide(id, { status: 'declined' });
    const query = async <Row>(sql: string): Promise<Row[]> => (await engine.observe(service.databaseUrl)).query<Row>(sql);
    const kinds = async (): Promise<string[]> =>
      (await query<{ kind: string }>('select kind from events order by id')).map(({ kind }) => kind);
    const roleOf = async (login: string): Promise<Role | undefined> =>
      (await service.storage.read(({ users }) => users.byLoginOrEmail(login)))?.role;

    it('as accepted makes the applicant an affiliate with a coupon of the template, one mail and its events', async () => {
      await service.settings.set('registration.coupon_template', { percent: 12.5, discount_type: 'fixed_cart', discount_amount: 5 });
      const id = await submit();
      const { status, body } = await decide(id, { status: 'accepted', message: 'Welcome to the program!' });
      expect(status).to.equal(200);
      const { user, coupon_id: couponId } = body;
      expect(body).to.deep.include({
        id,
        status: 'accepted',
        message: 'Welcome to the program!',
        date: '2026-03-01T18:20:00',
        date_accepted: '2026-03-02T09:15:00',
        date_declined: null,
        reviewed_by: administrator.id,
      });
      expect(user).to.include({ display_name: 'Trail Notes', login: 'trailnotes', email: 'hello@trailnotes.example' });
      expect((await admin.get(`/registrations/${id}`)).body).to.deep.equal(body);

      const made = (await admin.get(`/coupons/${couponId}`)).body;
      expect(made).to.deep.include({ code: 'TRAIL10', status: 'publish', user_id: user.id, date_created: '2026-03-02T09:15:00' });
      expect(made.commission).to.deep.equal({ percent: 12.5, percent_override: 12.5, fixed_per_order: null, fixed_per_product: null });
      expect(made.discount).to.deep.equal({ type: 'fixed_cart', amount: 5 });
      const affiliate = (await admin.get(`/affiliates/${user.id}`)).body;
      expect(affiliate).to.deep.include({ date_registered: '2026-03-02T09:15:00', custom_fields: { newsletter_readers: 4200 } });
      expect(affiliate.profile).to.deep.equal({
        phone: '',
        website: 'https://trailnotes.example',
        promote: 'Gear reviews and a monthly newsletter',
        referrer: 'Summit Weekly',
      });
      expect(await roleOf('trailnotes')).to.equal('affiliate');

      expect(await kinds()).to.deep.equal(['registration', 'registration_accept', 'affiliate_created']);
      const [, accepted, created] = await query<{ type: string; user_id: unknown; data: string }>('select * from events order by id');
      expect([accepted?.type, Number(accepted?.user_id)]).to.deep.equal(['registration.accepted', administrator.id]);
      const data = { registration_id: id, user_id: user.id, coupon_code: 'TRAIL10', status: 'accepted', type: 'affiliate' };
      expect(JSON.parse(accepted?.data ?? '')).to.deep.equal({ ...data, date: '2026-03-01T18:20:00' });
      expect(JSON.parse(created?.data ?? '')).to.include({ user_id: user.id, coupon_id: couponId, coupon: 'TRAIL10' });
      expect(await mailsOf(service)).to.have.length(1);
    });

    it('as accepted replaces the login of an application by /apply of a former version, which was a part of the address', async () => {
      const former = { login: 'bob', email: 'bob@other.example', couponCode: 'BOB1', isOnline: true };
      expect((await accept(await submit(former))).body.user.login).to.equal('bob@other.example');
      const store = { login: 'bob', email: 'bob@shop.example', couponCode: 'BOB2' };
      expect((await accept(await submit(store))).body.user.login).to.equal('bob');
    });

    it('as declined sends a mail, records an event, and creates neither user nor coupon', async () => {
      const id = await submit();
      const { status, body } = await decide(id, { status: 'declined', message: 'We do not work with coupon lists.' });
      expect(status).to.equal(200);
      expect(body).to.deep.include({
        user: null,
        status: 'declined',
        message: 'We do not work with coupon lists.',
        coupon_id: null,
        date_accepted: null,
        date_declined: '2026-03-02T09:15:00',
        reviewed_by: administrator.id,
      });
      expect(await kinds()).to.deep.equal(['registration', 'registration_decline']);
      expect(await roleOf('trailnotes')).to.equal(undefined);
      expect(await query('select * from coupons')).to.deep.equal([]);
      expect((await mailsOf(service)).map(({ headers }) => headers.get('subject'))).to.deep.equal([
        'My store: your application was declined',
      ]);
    });

    it('can accept after declining, which keeps the time of the decline and replaces the rest', async () => {
      const id = await submit();
      await decide(id, { status: 'declined', message: 'Not now.' });
      clock.advance(3600);
      const manager = await service.user('manager', 'manager');
      const byManager = await service.clientOf(manager);
      const { body } = await decide(id, { status: 'accepted' }, byManager);
      expect(body).to.deep.include({
        status: 'accepted',
        message: '',
        date_declined: '2026-03-02T09:15:00',
        date_accepted: '2026-03-02T10:15:00',
        reviewed_by: manager.id,
      });
      expect(await kinds()).to.deep.equal(['registration', 'registration_decline', 'registration_accept', 'affiliate_created']);
    });

    it('as accepted makes a customer an affiliate, and leaves administrators and managers as they are', async () => {
      for (const role of ['customer', 'affiliate', 'manager', 'administrator'] as const) {
        const user = await service.user(`the.${role}`, role);
        const { body } = await accept(await submit({ email: user.email.toUpperCase(), login: 'whatever', couponCode: role }));
        expect(body.user.id).to.equal(user.id);
        expect(await roleOf(user.login)).to.equal(role === 'customer' ? 'affiliate' : role);
      }
      expect(await roleOf('whatever')).to.equal(undefined);
    });

    it('does not overwrite profile fields that a customer already has', async () => {
      const customer = await service.user('customer', 'customer');
      const known = [JSON.stringify({ website: 'https://known.example', promote: '' }), JSON.stringify({ newsletter_readers: 1 })];
      await query(`update users set profile = '${known[0]}', custom_fields = '${known[1]}' where id = ${customer.id}`);
      await accept(await submit({ email: customer.email, customFields: { newsletter_readers: 2, size: 'L' } }));
      const { body } = await admin.get(`/affiliates/${customer.id}`);
      expect(body.profile).to.include({ website: 'https://known.example', promote: 'Gear reviews and a monthly newsletter' });
      expect(body.custom_fields).to.deep.equal({ newsletter_readers: 1, size: 'L' });
    });

    it('adds a number to the login of the applicant if the login is in use', async () => {
      const owner = await service.user('trailnotes', 'administrator');
      await service.user('TrailNotes2', 'customer');
      const { body } = await accept(await submit());
      expect(body.user).to.include({ login: 'trailnotes3', email: 'hello@trailnotes.example' });
      expect(body.user.id).not.to.equal(owner.id);
      expect(await service.storage.read(({ coupons }) => coupons.newestOf([owner.id], 100))).to.deep.equal([]);
    });

    it('cuts a login of 60 characters so that the number fits', async () => {
      const login = 'a'.repeat(60);
      await service.user(login, 'customer');
      const { status, body } = await accept(await submit({ login }));
      expect([status, body.user?.login]).to.deep.equal([200, `${'a'.repeat(59)}2`]);
    });

    it('is refused by the first rule that applies, in this order, and changes nothing', async () => {
      const codeOf = async (deciding: ReturnType<typeof decide>): Promise<string> => {
        const { status, body } = await deciding;
        return `${status} ${body.code}`;
      };
      expect(await codeOf(accept(999))).to.equal('404 svc_api_not_found');

      const declined = await submit({ couponCode: '' });
      await decline(declined);
      expect(await codeOf(decline(declined))).to.equal('400 svc_api_no_change');
      expect(await codeOf(accept(declined))).to.equal('409 svc_api_no_coupon_code');

      const accepted = await submit({ at: march + 1000 });
      await accept(accepted);
      expect(await codeOf(accept(accepted))).to.equal('400 svc_api_no_change');
      expect(await codeOf(decline(accepted))).to.equal('400 svc_api_already_accepted');

      await coupon(service, 'drafted', { status: 'draft' });
      for (const [index, couponCode] of ['trail10', 'DRAFTED'].entries()) {
        const taken = await submit({ email: 'other@b.example', couponCode, at: march + index });
        expect(await codeOf(accept(taken))).to.equal('409 svc_api_not_updated');
        expect((await admin.get(`/registrations/${taken}`)).body).to.deep.include({ status: 'pending', user: null, coupon_id: null });
        expect(await codeOf(decline(taken))).to.equal('200 undefined');
      }
      expect(await roleOf('other@b.example')).to.equal(undefined);
    });

    it('is refused with what is wrong with each field', async () => {
      const id = await submit();
      const cases: [Record<string, unknown>, string][] = [
        [{}, 'status'],
        [{ status: 'pending' }, 'status'],
        [{ status: 'ACCEPTED' }, 'status'],
        [{ status: 'accepted', message: 'x'.repeat(5001) }, 'message'],
        [{ status: 'accepted', message: 5 }, 'message'],
        [{ status: 'accepted', send_email: 'perhaps' }, 'send_email'],
      ];
      for (const [json, field] of cases) {
        const { status, body } = await decide(id, json);
        expect([status, body.code], JSON.stringify(json)).to.deep.equal([400, 'rest_invalid_param']);
        expect(body.data.params).to.have.all.keys(field);
      }
      expect((await admin.get(`/registrations/${id}`)).body.status).to.equal('pending');
    });

    it('accepts a form as well as JSON', async () => {
      const { status, body } = await admin.post(`/registrations/${await submit()}/status`, {
        form: 'status=declined&message=No+%26+thanks&send_email=0',
      });
      expect([status, body.status, body.message]).to.deep.equal([200, 'declined', 'No & thanks']);
      expect(await mailsOf(service)).to.deep.equal([]);
    });

    it('sends no mail when none is requested, and queues none', async () => {
      await decide(await submit(), { status: 'accepted', message: 'Told by phone.', send_email: false });
      expect([await mailsOf(service), await query('select * from mails')]).to.deep.equal([[], []]);
    });

    it('stores a message unchanged, and refuses one with a NUL character', async () => {
      const id = await submit();
      expect((await decide(id, { status: 'declined', message: 'a\0b' })).body.code).to.equal('rest_invalid_param');
      expect((await decide(id, { status: 'declined', message: 'Schön 😀' })).body.message).to.equal('Schön 😀');
    });
  });
});
