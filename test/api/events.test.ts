import { expect } from 'chai';
import { createUser } from '../../domain/users/create.ts';
import { type EventKind, eventKinds } from '../../generated/events.ts';
import { newEvent, newUser } from '../db/samples.ts';
import { submit } from '../support/applications.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon, orders, payoutDetails } from '../support/program.ts';
import { testService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('the change feed', () => {
    const { service, admin, administrator: boss } = testService(engine);

    const record = (...kinds: EventKind[]) =>
      service.storage.write(async ({ events }) => {
        for (const [at, kind] of kinds.entries())
          await events.record(newEvent({ kind, objectId: at + 1, userId: at % 2 === 0 ? 0 : boss.id }));
      });
    const read = async (query = '') => {
      const { body, headers } = await admin.get<{ id: number; event: string }[]>(`/events${query}`);
      const [total, pages, last] = ['X-Svc-Total', 'X-Svc-TotalPages', 'X-Svc-Last-Event'].map((name) => Number(headers.get(name)));
      return { ids: body.map(({ id }) => id), kinds: body.map(({ event }) => event), total, pages, last };
    };

    it('names its newest event with every response, so that a reader whose cursor lies beyond it knows of a restored backup', async () => {
      await record('referral', 'registration', 'payout_paid');
      const newest = Math.max(...(await read()).ids);
      const feedEnd = async (query: string): Promise<number> => Number((await admin.get(`/events${query}`)).headers.get('X-Svc-Feed-End'));
      for (const query of ['', '?after=0&per_page=1', '?after=0&event=referral', `?after=${newest}`, `?after=${newest + 500}`])
        expect(await feedEnd(query), query).to.equal(newest);
      expect(await read(`?after=${newest + 500}`)).to.include({ last: newest + 500 });
    });

    it('shows what happened, when in the store’s time, and who did it', async () => {
      await service.settings.set('store.timezone', 'Europe/Berlin');
      const ann = await service.user('ann', 'affiliate');
      const trail = await coupon(service, 'TRAIL10', { userId: ann.id });
      await orders(service, [{ id: 58412, coupon: trail, at: '2026-10-21T07:12:00Z', status: 'processing', total: 99.9, discount: 9.99 }]);
      const { body } = await admin.get('/events?event=referral');
      expect(body).to.deep.equal([
        {
          id: 2,
          event: 'referral',
          type: 'referral.created',
          event_id: 58412,
          object_type: 'order',
          user_id: 0,
          info: 'Order 58412 was referred by TRAIL10.',
          data: { order_id: 58412, coupon_id: trail, coupon: 'TRAIL10', user_id: ann.id, commission: 8.99 },
          date: '2026-11-02T08:00:00',
        },
      ]);
    });

    it('returns events newest first in pages without a cursor', async () => {
      await record('referral', 'commission_added', 'referral', 'commission_added', 'referral');
      expect(await read('?per_page=2')).to.deep.include({ ids: [5, 4], total: 5, pages: 3, last: 5 });
      expect(await read('?per_page=2&page=3')).to.deep.include({ ids: [1], total: 5, pages: 3, last: 1 });
      expect(await read('?per_page=2&page=4')).to.deep.include({ ids: [], total: 5, pages: 3, last: 5 });
    });

    it('gives the newest event as the cursor where a page is empty, and 0 while the feed is empty', async () => {
      expect(await read('?page=9')).to.deep.include({ ids: [], last: 0 });
      await record('referral', 'commission_added', 'commission_added');
      expect(await read('?event=referral&page=2')).to.deep.include({ ids: [], total: 1, last: 3 });
      const { last } = await read('?event=webhook_disabled');
      await record('webhook_disabled');
      expect(await read(`?event=webhook_disabled&after=${last}`)).to.deep.include({ ids: [4], last: 4 });
    });

    for (const [site, values] of Object.entries({
      pro: {},
      'pro with inactive add-ons': { 'addons.payouts': false, 'addons.webhooks': false, 'addons.multi_level': false },
      free: { edition: 'free' },
    }))
      it(`returns exactly the kinds that the served document lists: ${site}`, async () => {
        await record(...eventKinds);
        for (const [path, value] of Object.entries(values)) await service.settings.set(path, value);
        const listed: string[] = (await admin.get('/openapi')).body.components.schemas.EventKind.enum;
        expect(listed.length, 'those of the pro edition are missing').to.equal(
          site === 'free' ? eventKinds.length - 12 : eventKinds.length,
        );
        const whole = await read('?per_page=100');
        expect([whole.kinds.toReversed(), whole.total]).to.deep.equal([listed, listed.length]);
        expect(await read('?per_page=100&after=0')).to.deep.include({ kinds: listed, total: listed.length });
        for (const kind of eventKinds) {
          const { status, body } = await admin.get(`/events?event=${kind}`);
          expect([status, body.length ?? body.data.params], kind).to.deep.equal(
            listed.includes(kind) ? [200, 1] : [400, { event: `event: this edition has no kind ${kind}.` }],
          );
        }
      });

    it('returns events oldest first after a cursor, whatever the page, and counts those beyond it', async () => {
      await record('referral', 'commission_added', 'referral', 'commission_added', 'referral');
      expect(await read('?after=0&per_page=2')).to.deep.include({ ids: [1, 2], total: 5, pages: 3, last: 2 });
      expect(await read('?after=2&per_page=2&page=7')).to.deep.include({ ids: [3, 4], total: 3, pages: 2, last: 4 });
      expect(await read('?after=5')).to.deep.include({ ids: [], total: 0, pages: 0, last: 5 });
      expect(await read('?after=4711')).to.deep.include({ ids: [], total: 0, last: 4711 });
    });

    it('is filtered by one kind or several, and by the user who acted', async () => {
      await record('referral', 'commission_added', 'payout_paid', 'referral', 'commission_added', 'referral');
      expect(await read('?event=referral')).to.deep.include({ ids: [6, 4, 1], total: 3 });
      expect(await read('?event=referral,payout_paid&after=1')).to.deep.include({ ids: [3, 4, 6], total: 3, last: 6 });
      expect(await read('?event=referral,referral&per_page=1&page=2')).to.deep.include({ ids: [4], total: 3, pages: 3 });
      expect(await read('?event=webhook_disabled&after=3')).to.deep.include({ ids: [], total: 0, last: 3 });
      expect(await read(`?user_id=${boss.id}`)).to.deep.include({ ids: [6, 4, 2], total: 3 });
      expect(await read(`?user_id=${boss.id}&event=referral&after=4`)).to.deep.include({ ids: [6], total: 1 });
      expect(await read('?user_id=9007199254740991')).to.deep.include({ ids: [], total: 0 });
    });

    it('refuses an unknown kind', async () => {
      const { status, body } = await admin.get('/events?event=referral,nonsense');
      expect([status, body.code]).to.deep.equal([400, 'rest_invalid_param']);
    });

    it('is unavailable while the activity log is off, and has no gap afterwards', async () => {
      await record('referral');
      await service.settings.set('activity_log', false);
      const { status, body } = await admin.get('/events');
      expect([status, body.code]).to.deep.equal([400, 'svc_api_log_disabled']);
      await record('commission_added');
      await service.settings.set('activity_log', true);
      expect(await read('?after=0')).to.deep.include({ kinds: ['referral', 'commission_added'] });
    });

    it('contains no login, no email and no secret', async () => {
      const named = newUser({ login: 'login-of-ann', email: 'mail-of-ann@shop.example', displayName: 'Ann' });
      const ann = await service.storage.write((transaction) => createUser(transaction, named));
      const { id, token } = await service.key(ann, ['read']);
      await admin.call('DELETE', `/keys/${id}`);
      await coupon(service, 'TRAIL10', { userId: ann.id });
      await payoutDetails(service, {
        userId: ann.id,
        method: 'PayPal',
        methodType: 'paypal',
        details: { email: 'account-of-ann@pay.example' },
      });
      const application = await submit(service, { login: 'login-of-ben', email: 'mail-of-ben@shop.example', couponCode: 'BEN10' });
      await admin.post(`/registrations/${application}/status`, { json: { status: 'accepted' } });
      const { body } = await admin.get<{ event: string }[]>('/events?per_page=100');
      expect(new Set(body.map(({ event }) => event)).size).to.be.at.least(6);
      for (const secret of ['login-of', 'mail-of', '@', token, 'account-of-ann']) expect(JSON.stringify(body)).not.to.include(secret);
    });
  });
});
