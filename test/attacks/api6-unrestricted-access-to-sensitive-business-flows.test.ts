import { expect } from 'chai';
import { submit } from '../support/applications.ts';
import { clicks } from '../support/clicks.ts';
import { forEachEngine } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';

const times = <Result>(count: number, work: (at: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

// The proofs at length, with kills and races, are in test/faults; here is what a script of an affiliate would try.
forEachEngine((engine) => {
  describe('API6:2023 Unrestricted Access to Sensitive Business Flows', () => {
    let store: PayoutStore;
    beforeEach(async () => void (store = await openPayoutStore(engine)));
    afterEach(() => store.service.stop());

    const request = (headers: Record<string, string> = {}) =>
      store.affiliate.post('/payouts', { json: { coupon_id: store.couponId }, headers });

    it('thirty concurrent payout requests, each with its own Idempotency-Key, create one payout of the available amount', async () => {
      const answers = await times(30, (at) => request({ 'Idempotency-Key': `try-${at}` }));
      expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
      for (const { status } of answers) expect(status).to.be.oneOf([200, 201, 409]);
      expect((await store.admin.get('/payouts')).body).to.have.length(1);
      expect(await store.pools()).to.deep.equal({ unpaid: 0, pending: 100, paid: 0 });
    });

    it('a replayed response creates nothing, not even after the payout has ended, and is returned to no other caller', async () => {
      const key = { 'Idempotency-Key': 'again' };
      const { body: first } = await request(key);
      await store.admin.post(`/payouts/${first.id}/status`, { json: { status: 'paid' } });
      await store.earn(50);
      const { status, body } = await request(key);
      expect([status, body]).to.deep.equal([201, first]);
      const other = await store.admin.post('/payouts', { json: { coupon_id: store.couponId }, headers: key });
      expect(other.body.id).not.to.equal(first.id);
    });

    it('a payout can be cancelled and requested again any number of times, and the amount exists once', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { body } = await request();
        const ends = await times(4, () => store.admin.post(`/payouts/${body.id}/status`, { json: { status: 'cancel' } }));
        expect(ends.filter(({ status }) => status === 200)).to.have.length(1);
      }
      expect(await store.pools()).to.deep.equal({ unpaid: 100, pending: 0, paid: 0 });
    });

    it('a request with an amount, a foreign coupon or a repeated coupon gets no more than the balance', async () => {
      for (const json of [
        { coupon_id: store.couponId, amount: 1e6 },
        { coupon_id: [store.couponId, store.couponId] },
        { coupon_id: String(store.couponId) },
        { coupon_id: store.couponId + 0.5 },
        { coupon_id: -store.couponId },
      ]) {
        const { status, body } = await store.affiliate.post('/payouts', { json });
        if (status === 201) expect(body.amount).to.equal(100);
        else expect(status, JSON.stringify(json)).to.be.oneOf([400, 404]);
      }
      expect((await store.admin.get('/payouts')).body).to.have.length(1);
    });

    it('an affiliate cannot decide on a payout or an application, and an admin only once', async () => {
      const { body: payout } = await request();
      const application = await submit(store.service, { login: 'notes', couponCode: 'NOTES10' });
      for (const path of [`/payouts/${payout.id}/status`, `/registrations/${application}/status`])
        expect((await store.affiliate.post(path, { json: { status: 'paid' } })).status, path).to.equal(403);
      const decided = await times(10, () => store.admin.post(`/registrations/${application}/status`, { json: { status: 'accepted' } }));
      expect(decided.filter(({ status }) => status === 200)).to.have.length(1);
      for (const { status } of decided) expect(status).to.be.oneOf([200, 400, 409]);
      const { body: coupons } = await store.admin.get('/coupons');
      expect(coupons, 'the one before and one of the application').to.have.length(2);
    });

    it('an application that a script sends repeatedly is stored once', async () => {
      const ids = await times(10, () => submit(store.service).catch(() => 0));
      expect(new Set(ids.filter((id) => id > 0)).size).to.equal(1);
      expect((await store.admin.get('/registrations')).body).to.have.length(1);
    });

    it('a click that is sent repeatedly counts one visitor', async () => {
      const click = { coupon: store.couponId, at: '2026-10-04T10:00:00Z', visitor: 'the same' };
      for (let round = 0; round < 3; round += 1) await clicks(store.service, [click, click]);
      const { body } = await store.affiliate.get(`/clicks/stats?coupon_id=${store.couponId}`);
      expect(body).to.include({ clicks: 1, unique_clicks: 1 });
    });

    it('a statistic is rebuilt once a minute, however often that is requested', async () => {
      const answers = await times(10, () => store.affiliate.get(`/coupons/${store.couponId}/stats?refresh=true`));
      expect(answers.filter(({ body }) => body.source === 'live')).to.have.length(1);
    });
  });
});
