import { expect } from 'chai';
import { openDatabase } from '../../db/database.ts';
import type { SiteModule } from '../../site/extension.ts';
import { forEachEngine } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { coupon } from '../support/program.ts';

interface Asking {
  who?: 'admin' | 'affiliate';
  key?: string;
  couponId?: number;
}

forEachEngine((engine) => {
  describe('the answer to POST /payouts that an Idempotency-Key keeps', () => {
    let store: PayoutStore;
    afterEach(() => store.service.stop());

    const ask = ({ who = 'affiliate', key = 'once', couponId = store.couponId }: Asking = {}) =>
      store[who].post('/payouts', { json: { coupon_id: couponId }, headers: { 'Idempotency-Key': key } });

    /** What a refused call must leave as it was. */
    const state = async () => ({
      pools: await store.pools(),
      kinds: await store.kinds(),
      payouts: (await store.admin.get('/payouts')).body,
    });

    it('is replayed, whatever has happened to the payout since', async () => {
      store = await openPayoutStore(engine);
      const first = await ask({ key: 'one' });
      await store.admin.post(`/payouts/${first.body.id}/status`, { json: { status: 'paid' } });
      await store.earn(10);
      const again = await ask({ key: 'one' });
      expect([again.status, again.body]).to.deep.equal([201, first.body]);
      expect(await store.pools()).to.deep.equal({ unpaid: 10, pending: 0, paid: 100 });
    });

    it('is for its coupon alone: the same key for another is refused, and changes nothing', async () => {
      store = await openPayoutStore(engine);
      const other = await coupon(store.service, 'OTHER', { userId: store.user.id });
      await ask({ key: 'one' });
      const before = await state();
      const { status, body } = await ask({ key: 'one', couponId: other });
      expect([status, body.code]).to.deep.equal([422, 'svc_api_idempotency_mismatch']);
      expect(await state()).to.deep.equal(before);
    });

    it('may be a refusal, or the 200 of an open request', async () => {
      store = await openPayoutStore(engine);
      await store.set('payouts.threshold', 500);
      const refused = await ask({ key: 'one' });
      await store.set('payouts.threshold', 0);
      expect((await ask({ key: 'one' })).body).to.deep.equal(refused.body);
      await store.affiliate.post('/payouts', { json: { coupon_id: store.couponId } });
      const existing = await ask({ key: 'two' });
      const { body } = await store.admin.get('/payouts');
      await store.admin.post(`/payouts/${body[0].id}/status`, { json: { status: 'cancel' } });
      const again = await ask({ key: 'two' });
      expect([again.status, again.headers.get('X-Svc-Existing'), again.body]).to.deep.equal([200, '1', existing.body]);
    });

    it('is forgotten after 24 hours, and known one second before', async () => {
      store = await openPayoutStore(engine);
      const clock = store.service.clock as unknown as { advance(seconds: number): void };
      const first = await ask({ key: 'one' });
      await store.admin.post(`/payouts/${first.body.id}/status`, { json: { status: 'paid' } });
      await store.earn(10);
      clock.advance(24 * 3600);
      expect((await ask({ key: 'one' })).body.id).to.equal(first.body.id);
      clock.advance(1);
      const second = await ask({ key: 'one' });
      expect([second.status, second.body.amount]).to.deep.equal([201, 10]);
    });

    it('is not what another user gets who has the same key', async () => {
      store = await openPayoutStore(engine);
      const first = await ask({ key: 'one' });
      const { status, headers, body } = await ask({ key: 'one', who: 'admin' });
      expect([status, headers.get('X-Svc-Existing'), body.id]).to.deep.equal([200, '1', first.body.id]);
    });

    it("is none for a coupon that is not the caller's: that is 404, and the key stays unused", async () => {
      store = await openPayoutStore(engine);
      expect((await ask({ key: 'one', couponId: 987654 })).status).to.equal(404);
      expect((await ask({ key: 'one' })).status).to.equal(201);
    });

    it('is there while the gateway is being asked, and says nothing that the gateway has not said', async () => {
      let meanwhile: Awaited<ReturnType<typeof ask>> | undefined;
      const bank = async () => {
        meanwhile = await ask();
        return { status: 'paid' as const, notice: 'Handed over.' };
      };
      store = await openPayoutStore(engine, { siteModule: { gateways: { bank } } });
      await store.set('payouts.auto_accept.enabled', true);
      await store.set('payouts.auto_accept.gateway', 'bank');
      const { body } = await ask();
      expect([body.status, body.gateway_notice]).to.deep.equal(['paid', 'Handed over.']);
      const { gateway_notice: _, ...first } = body;
      expect([meanwhile?.status, meanwhile?.body]).to.deep.equal([201, { ...first, status: 'created', date_paid: null }]);
    });

    it("is the site's refusal too: the site is not asked again, whatever it would say now", async () => {
      let asked = 0;
      const beforePayout: SiteModule['beforePayout'] = () => {
        asked += 1;
        return asked === 1 ? { refuse: 'We pay on Fridays.' } : undefined;
      };
      store = await openPayoutStore(engine, { siteModule: { beforePayout } });
      const first = await ask();
      expect([first.status, first.body.message]).to.deep.equal([409, 'We pay on Fridays.']);
      const again = await ask();
      expect([again.status, again.body, asked]).to.deep.equal([409, first.body, 1]);
      expect((await store.admin.get('/payouts')).body).to.deep.equal([]);
    });

    it("is a rule's refusal where one stands against it, about which the site is not asked", async () => {
      let asked = 0;
      store = await openPayoutStore(engine, { earned: 0, siteModule: { beforePayout: () => void (asked += 1) } });
      for (let time = 0; time < 2; time += 1) expect((await ask()).body.code).to.equal('svc_api_no_balance');
      expect(asked).to.equal(0);
    });

    // SQLite has one writer at a time: there the second waits for its turn instead.
    if (engine.name === 'postgres')
      it('is none while another process decides about the coupon: that is told, and the key stays unused', async () => {
        store = await openPayoutStore(engine);
        const other = await openDatabase({ url: store.service.databaseUrl });
        const meanwhile = await other.write(async ({ payouts }) => {
          expect(await payouts.claim(store.couponId)).to.equal(true);
          return ask();
        });
        await other.close();
        expect([meanwhile.status, meanwhile.body.code]).to.deep.equal([409, 'svc_api_in_progress']);
        expect((await store.admin.get('/payouts')).body).to.deep.equal([]);
        expect((await ask()).status).to.equal(201);
      });
  });
});
