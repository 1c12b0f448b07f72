import { expect } from 'chai';
import { openDatabase } from '../../db/database.ts';
import type { SiteModule } from '../../site/extension.ts';
import { forEachEngine } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { coupon } from '../support/program.ts';

interface PayoutRequestOptions {
  who?: 'admin' | 'affiliate';
  key?: string;
  couponId?: number;
}

forEachEngine((engine) => {
  describe('the response to POST /payouts that is stored for an Idempotency-Key', () => {
    let store: PayoutStore;
    beforeEach(async () => {
      store = await openPayoutStore(engine);
    });

    const request = ({ who = 'affiliate', key = 'once', couponId = store.couponId }: PayoutRequestOptions = {}) =>
      store[who].post('/payouts', { json: { coupon_id: couponId }, headers: { 'Idempotency-Key': key } });

    /** What a refused request must not change. */
    const state = async () => ({
      pools: await store.pools(),
      kinds: await store.kinds(),
      payouts: (await store.admin.get('/payouts')).body,
    });

    it('is replayed, whatever has happened to the payout since', async () => {
      const first = await request({ key: 'one' });
      await store.change(first.body.id, 'paid');
      await store.earn(10);
      const again = await request({ key: 'one' });
      expect([again.status, again.body]).to.deep.equal([201, first.body]);
      expect(await store.pools()).to.deep.equal({ unpaid: 10, pending: 0, paid: 100 });
    });

    it('belongs to its coupon: the same key for another coupon is refused, and changes nothing', async () => {
      const other = await coupon(store.service, 'OTHER', { userId: store.user.id });
      await request({ key: 'one' });
      const before = await state();
      const { status, body } = await request({ key: 'one', couponId: other });
      expect([status, body.code]).to.deep.equal([422, 'svc_api_idempotency_mismatch']);
      expect(await state()).to.deep.equal(before);
    });

    it('is never a refusal: the next request with the same key is evaluated again', async () => {
      await store.set('payouts.threshold', 500);
      expect((await request({ key: 'one' })).body.code).to.equal('svc_api_below_threshold');
      await store.set('payouts.threshold', 0);
      const first = await request({ key: 'one' });
      expect([first.status, (await request({ key: 'one' })).body]).to.deep.equal([201, first.body]);
    });

    it('may be the 200 of an open request', async () => {
      await store.request();
      const existing = await request({ key: 'two' });
      const { body } = await store.admin.get('/payouts');
      await store.change(body[0].id, 'cancel');
      const again = await request({ key: 'two' });
      expect([again.status, again.headers.get('X-Svc-Existing'), again.body]).to.deep.equal([200, '1', existing.body]);
    });

    it('is deleted after 24 hours, and not one second before', async () => {
      const clock = store.service.clock as unknown as { advance(seconds: number): void };
      const first = await request({ key: 'one' });
      await store.change(first.body.id, 'paid');
      await store.earn(10);
      clock.advance(24 * 3600);
      expect((await request({ key: 'one' })).body.id).to.equal(first.body.id);
      clock.advance(1);
      const second = await request({ key: 'one' });
      expect([second.status, second.body.amount]).to.deep.equal([201, 10]);
    });

    it('is not replayed to another user with the same key', async () => {
      const first = await request({ key: 'one' });
      const { status, headers, body } = await request({ key: 'one', who: 'admin' });
      expect([status, headers.get('X-Svc-Existing'), body.id]).to.deep.equal([200, '1', first.body.id]);
    });

    it("is not stored for a coupon that is not the caller's: that is 404, and the key stays unused", async () => {
      expect((await request({ key: 'one', couponId: 987654 })).status).to.equal(404);
      expect((await request({ key: 'one' })).status).to.equal(201);
    });

    it('is stored before the gateway responds, without its result, and replayed with it afterwards', async () => {
      let meanwhile: Awaited<ReturnType<typeof request>> | undefined;
      const bank = async () => {
        meanwhile = await request();
        return { status: 'paid' as const, notice: 'Handed over.' };
      };
      store = await openPayoutStore(engine, { siteModule: { gateways: { bank } } });
      await store.set('payouts.auto_accept.enabled', true);
      await store.set('payouts.auto_accept.gateway', 'bank');
      const { body } = await request();
      expect([body.status, body.gateway_notice]).to.deep.equal(['paid', 'Handed over.']);
      const { gateway_notice: _, ...first } = body;
      expect([meanwhile?.status, meanwhile?.body]).to.deep.equal([201, { ...first, status: 'created', date_paid: null }]);
      const replayed = await request();
      expect([replayed.status, replayed.body]).to.deep.equal([201, body]);
    });

    it('is never a refusal of the site: its hook is called again', async () => {
      let calls = 0;
      const beforePayout: SiteModule['beforePayout'] = () => {
        calls += 1;
        return calls === 1 ? { refuse: 'We pay on Fridays.' } : undefined;
      };
      store = await openPayoutStore(engine, { siteModule: { beforePayout } });
      const first = await request();
      expect([first.status, first.body.message]).to.deep.equal([409, 'We pay on Fridays.']);
      expect([(await request()).status, (await request()).status, calls]).to.deep.equal([201, 201, 2]);
    });

    it('is not needed for the refusal of a rule, for which the hook is not called', async () => {
      let calls = 0;
      store = await openPayoutStore(engine, { earned: 0, siteModule: { beforePayout: () => void (calls += 1) } });
      for (let time = 0; time < 2; time += 1) expect((await request()).body.code).to.equal('svc_api_no_balance');
      expect(calls).to.equal(0);
    });

    // SQLite has one writer at a time: there the second waits for its turn instead.
    if (engine.name === 'postgres')
      it('is not stored while another process decides about the coupon: that is 409, and the key stays unused', async () => {
        const other = await openDatabase({ url: store.service.databaseUrl });
        const meanwhile = await other.write(async ({ payouts }) => {
          expect(await payouts.claim(store.couponId)).to.equal(true);
          return request();
        });
        await other.close();
        expect([meanwhile.status, meanwhile.body.code]).to.deep.equal([409, 'svc_api_in_progress']);
        expect((await store.admin.get('/payouts')).body).to.deep.equal([]);
        expect((await request()).status).to.equal(201);
      });
  });
});
