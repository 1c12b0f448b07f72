import { expect } from 'chai';
import type { Application } from '../../domain/registrations/application.ts';
import { march, submit as submitTo } from '../support/applications.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('applications', () => {
    const { service, admin } = testService(engine, { settings: { 'store.timezone': 'Europe/Oslo' } });

    const submit = (application: Partial<Application> = {}): Promise<number> => submitTo(service, application);
    const idsOf = async (query: string): Promise<number[]> =>
      (await admin.get(`/registrations${query}`)).body.map(({ id }: { id: number }) => id);

    it('are returned as they were sent, until they are decided', async () => {
      const id = await submit();
      const expected = {
        id,
        user: null,
        applicant: { login: 'trailnotes', email: 'hello@trailnotes.example', display_name: 'Trail Notes' },
        coupon_code: 'TRAIL10',
        status: 'pending',
        type: 'affiliate',
        promote: 'Gear reviews and a monthly newsletter',
        referrer: 'Summit Weekly',
        website: 'https://trailnotes.example',
        custom_fields: { newsletter_readers: 4200 },
        message: '',
        coupon_id: null,
        date: '2026-03-01T18:20:00',
        date_accepted: null,
        date_declined: null,
        reviewed_by: null,
      };
      expect((await admin.get(`/registrations/${id}`)).body).to.deep.equal(expected);
      expect((await admin.get('/registrations')).body).to.deep.equal([expected]);
    });

    it('name the user who applied, where there is one', async () => {
      const customer = await service.user('customer', 'customer');
      const id = await submit({ email: customer.email.toUpperCase() });
      const user = { id: customer.id, display_name: 'The customer', login: 'customer', email: 'customer@shop.example' };
      expect((await admin.get(`/registrations/${id}`)).body.user).to.deep.equal(user);
      expect((await admin.get(`/registrations?user_id=${customer.id}`)).body[0].user).to.deep.equal(user);
    });

    it('are answered 404 when there is none with that number', async () => {
      for (const id of ['1', '9007199254740991']) expect((await admin.get(`/registrations/${id}`)).body.code).to.equal('svc_api_not_found');
      expect((await admin.get('/registrations/none')).body.code).to.equal('rest_invalid_param');
    });

    it('are listed newest first, in pages, with totals; a page past the end is empty', async () => {
      const ids = [];
      for (let made = 0; made < 5; made += 1) ids.push(await submit({ email: `a${made}@b.example`, at: march - (made % 3) * 1000 }));
      const [a, b, c, d, e] = ids;
      expect(await idsOf('')).to.deep.equal([d, a, e, b, c]);
      const page = await admin.get('/registrations?per_page=2&page=3');
      expect(page.body.map(({ id }: { id: number }) => id)).to.deep.equal([c]);
      expect([page.headers.get('X-Svc-Total'), page.headers.get('X-Svc-TotalPages')]).to.deep.equal(['5', '3']);
      const past = await admin.get('/registrations?per_page=2&page=4');
      expect([past.body, past.headers.get('X-Svc-Total'), past.headers.get('X-Svc-TotalPages')]).to.deep.equal([[], '5', '3']);
    });

    it('are filtered by status and by user, alone and together', async () => {
      const customer = await service.user('customer', 'customer');
      const declined = await submit({ email: customer.email });
      const pending = await submit({ email: customer.email, at: march + 1000 });
      const anothers = await submit({ at: march + 2000 });
      await admin.post(`/registrations/${declined}/status`, { json: { status: 'declined' } });
      expect(await idsOf('?status=pending')).to.deep.equal([anothers, pending]);
      expect(await idsOf('?status=declined')).to.deep.equal([declined]);
      expect(await idsOf('?status=accepted')).to.deep.equal([]);
      expect(await idsOf(`?user_id=${customer.id}`)).to.deep.equal([pending, declined]);
      expect(await idsOf(`?user_id=${customer.id}&status=pending&search=trail`)).to.deep.equal([pending]);
      expect(await idsOf('?user_id=9007199254740991')).to.deep.equal([]);
      for (const query of ['status=open', 'user_id=0', 'page=0', 'per_page=101'])
        expect((await admin.get(`/registrations?${query}`)).body.code, query).to.equal('rest_invalid_param');
    });

    it('are found by any part of login, email, name or code, ignoring case in every language', async () => {
      const id = await submit({ login: 'Ann.Smith', email: 'Post@Ærlig.example', displayName: 'ÆRLIG Ødegård', couponCode: 'ÅRE 50%_!x' });
      await submit({ at: march + 1000, promote: 'ann.smith and Ødegård' });
      for (const text of ['ann.s', 'ANN.SMITH', 'post@ærl', 'ÆRLIG.EX', 'ærlig ød', 'ØDEGÅRD', 'åre', '50%_!X', 'E 50%'])
        expect(await idsOf(`?search=${encodeURIComponent(text)}`), text).to.deep.equal([id]);
      for (const text of ['%', '_', '!', '%_', '50%_!'])
        expect(await idsOf(`?search=${encodeURIComponent(text)}`), text).to.deep.equal([id]);
      for (const text of ['a%h', 'ann_smith', '%%', '!!', "'", '\\', 'gear'])
        expect(await idsOf(`?search=${encodeURIComponent(text)}`), text).to.deep.equal([]);
    });
  });
});
