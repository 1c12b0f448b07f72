import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { createEarner, failPayout, openPayoutStore } from '../support/payouts.ts';
import { TestClock } from '../support/service.ts';

/** A status change and the event that it raises. */
const changes: [status: string, event: string][] = [
  ['created', 'payout.created'],
  ['pending', 'payout.pending'],
  ['paid', 'payout.paid'],
  ['created', 'payout.reversed'],
  ['cancel', 'payout.cancelled'],
  ['pending', 'payout.reopened'],
  ['paid', 'payout.paid'],
];

onAnyEngine((engine) => {
  describe('GET /payouts/{id}/history', () => {
    let clock: TestClock;
    const store = testFixture(() => {
      clock = new TestClock();
      return openPayoutStore(engine, { clock, settings: { 'addons.management': true } });
    });
    const by = (name: string, id: number) => ({ id, display_name: name });

    it('lists every change with its time, oldest first, and not those of other payouts', async () => {
      const { service, admin } = store;
      const { id } = (await store.request()).body;
      const other = await createEarner(service, 'other', 50);
      const { body: second } = await admin.post('/payouts', { json: { coupon_id: other.couponId } });
      const { id: adminId, display_name: admins } = (await admin.get('/me')).body.user;
      const expected = [
        { event: 'payout.requested', status: 'pending', by: by(store.user.displayName, store.user.id), date: '2026-11-02T07:00:00' },
      ];
      for (const [index, [status, event]] of changes.entries()) {
        clock.advance(60);
        expect((await store.change(id, status)).status).to.equal(200);
        const date = `2026-11-02T07:0${index + 1}:00`;
        expected.push({ event, status, by: by(admins, adminId), date });
      }
      const { body, headers } = await admin.get(`/payouts/${id}/history`);
      expect(body).to.deep.equal(expected);
      expect([headers.get('X-Svc-Total'), headers.get('X-Svc-TotalPages')]).to.deep.equal(['8', '1']);
      const { body: page } = await admin.get(`/payouts/${id}/history?page=2&per_page=3`);
      expect(page).to.deep.equal(expected.slice(3, 6));
      expect((await admin.get(`/payouts/${second.id}/history`)).body).to.have.length(1);
    });

    it('names nobody for what the command line or a gateway does, and tells a failure from a cancellation', async () => {
      const { id } = (await store.request()).body;
      await store.change(id, 'created');
      await failPayout(store.service, id);
      const { body } = await store.admin.get(`/payouts/${id}/history`);
      expect(body.at(-1)).to.include({ event: 'payout.failed', status: 'cancel', by: null });
    });

    it('tells admins alone which changes were made with a batch', async () => {
      const { service, admin, affiliate } = store;
      const { id } = (await store.request()).body;
      const other = await createEarner(service, 'other', 50);
      await admin.post('/payouts', { json: { coupon_id: other.couponId } });
      const batchesIn = async (): Promise<unknown> =>
        (await admin.get<{ event: string; batch_id?: number }[]>(`/payouts/${id}/history`)).body.map(({ event, batch_id }) => [
          event,
          batch_id,
        ]);
      clock.advance(60);
      await store.change(id, 'created');
      await store.change(id, 'pending');
      clock.advance(60);
      const { body: batch } = await admin.post('/payout-batches', { json: { format: 'csv' } });
      clock.advance(60);
      await admin.post(`/payout-batches/${batch.id}/status`, { json: { status: 'cancel' } });
      clock.advance(60);
      await store.change(id, 'paid');
      expect(await batchesIn()).to.deep.equal([
        ['payout.requested', undefined],
        ['payout.created', undefined],
        ['payout.pending', undefined],
        ['payout.created', batch.id],
        ['payout.pending', batch.id],
        ['payout.paid', undefined],
      ]);
      for (const change of (await affiliate.get(`/payouts/${id}/history`)).body) expect(change).not.to.have.property('batch_id');
    });

    it('shows the payee the changes and not who made them', async () => {
      const { id } = (await store.request()).body;
      await store.change(id, 'paid');
      const { body } = await store.affiliate.get(`/payouts/${id}/history`);
      expect(body.map(({ event }: { event: string }) => event)).to.deep.equal(['payout.requested', 'payout.paid']);
      for (const change of body) expect(change).to.have.all.keys('event', 'status', 'date');
    });

    it('answers the same bytes for the payout of another user and a missing one', async () => {
      const { id } = (await store.request()).body;
      const stranger = await store.service.clientOf(await store.service.user('stranger', 'affiliate'), ['read']);
      const [foreign, missing] = [await stranger.get(`/payouts/${id}/history`), await stranger.get('/payouts/999999/history')];
      expect([foreign.status, foreign.body]).to.deep.equal([404, missing.body]);
    });
  });
});
