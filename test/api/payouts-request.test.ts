import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { canary, openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { coupon, newOrderId, orders, parent, payoutDetails } from '../support/program.ts';

type Who = 'admin' | 'affiliate';

interface Rule {
  guarantee: string;
  given: (store: PayoutStore) => Promise<unknown>;
  /** Both by default. */
  as?: Who[];
  /** 400 by default. */
  status?: number;
}

const both: Who[] = ['admin', 'affiliate'];

/** The rules of `POST /payouts`, by the code that they answer. */
const rules: Record<string, Rule> = {
  svc_api_payouts_disabled: {
    guarantee: 'no payout can be requested while payouts are switched off',
    given: ({ set }) => set('payouts.enabled', false),
  },
  svc_api_requests_disabled: {
    guarantee: 'an affiliate requests none while self-service is switched off',
    given: ({ set }) => set('payouts.requests_enabled', false),
    as: ['affiliate'],
    status: 403,
  },
  svc_api_no_balance: {
    guarantee: 'there is nothing to request where nothing is unpaid',
    given: async ({ request, change }) => change((await request()).body.id, 'paid'),
  },
  svc_api_below_threshold: {
    guarantee: 'an amount under the minimum is not paid, not for admins either',
    given: ({ set }) => set('payouts.threshold', 100.01),
  },
  svc_api_no_payout_details: {
    guarantee: 'a method without destination counts as no payout details',
    given: ({ service, user }) => payoutDetails(service, { userId: user.id, method: 'PayPal', methodType: 'paypal', details: {} }),
  },
  svc_api_method_disabled: {
    guarantee: 'an affiliate whose method is no longer enabled must choose another',
    given: ({ set }) => set('payouts.methods.paypal.enabled', false),
    as: ['affiliate'],
  },
  svc_api_invoice_required: {
    guarantee: 'a method that needs an invoice is refused until one is handed in',
    given: ({ set }) => set('payouts.methods.paypal.invoice_required', true),
  },
};

onAnyEngine((engine) => {
  describe('POST /payouts', () => {
    let store: PayoutStore;
    beforeEach(async () => {
      store = await openPayoutStore(engine);
    });

    const request = (who: Who, { couponId = store.couponId } = {}) => store[who].post('/payouts', { json: { coupon_id: couponId } });

    /** What a refused call must leave as it was. */
    const state = async () => ({
      pools: await store.pools(),
      kinds: await store.kinds(),
      payouts: (await store.admin.get('/payouts')).body,
    });

    it('requests the full unpaid balance: 201, pending, and the amount is in the pending pool', async () => {
      const { status, body, headers } = await request('affiliate');
      expect(status).to.equal(201);
      expect(headers.get('X-Svc-Existing')).to.equal(null);
      expect(body).to.deep.equal({
        id: body.id,
        user: { id: store.user.id, display_name: 'The trail' },
        coupon_id: store.couponId,
        coupon_code: 'TRAIL10',
        amount: 100,
        method: 'PayPal',
        method_type: 'paypal',
        status: 'pending',
        has_details: true,
        transaction_id: '',
        invoice_id: 0,
        date: '2026-11-02T07:00:00',
        date_paid: null,
        gateway_triggered: false,
      });
      expect(await store.pools()).to.deep.equal({ unpaid: 0, pending: 100, paid: 0 });
      expect(await store.kinds()).to.deep.equal(['payout_request']);
    });

    it('shows the currently saved label, kind and details while it is pending, and those that were used from created on', async () => {
      store = await openPayoutStore(engine, { method: null });
      await store.set('payouts.details_required', false);
      const { id, ...requested } = (await request('affiliate')).body;
      const shown = async () => {
        const { method, method_type, has_details } = (await store.affiliate.get(`/payouts/${id}`)).body;
        return [method, method_type, has_details];
      };
      const save = (method: string, methodType: 'paypal' | 'banktransfer', details: Record<string, string>) =>
        payoutDetails(store.service, { userId: store.user.id, method, methodType, details });
      const change = (status: string) => store.admin.post(`/payouts/${id}/status`, { json: { status } });
      expect([requested.method, requested.method_type, requested.has_details]).to.deep.equal(['', '', false]);
      await save('My PayPal', 'paypal', { email: canary });
      expect(await shown()).to.deep.equal(['My PayPal', 'paypal', true]);
      expect((await store.admin.get('/payouts')).body[0]).to.include({ method: 'My PayPal', has_details: true });
      await change('created');
      await save('My bank', 'banktransfer', {});
      expect(await shown(), 'what was used').to.deep.equal(['My PayPal', 'paypal', true]);
      const { body } = await change('pending');
      expect([body.method, body.has_details, ...(await shown())]).to.deep.equal(['My bank', false, 'My bank', 'banktransfer', false]);
    });

    it('answers an open request unchanged: 200, X-Svc-Existing, and nothing new', async () => {
      const { body: created } = await request('affiliate');
      await store.earn(50);
      for (const who of both) {
        const { status, headers, body } = await request(who);
        const { gateway_triggered: _, ...payout } = created;
        expect([status, headers.get('X-Svc-Existing'), body]).to.deep.equal([200, '1', payout]);
      }
      expect(await store.pools()).to.deep.equal({ unpaid: 50, pending: 100, paid: 0 });
      expect(await store.kinds()).to.deep.equal(['payout_request']);
    });

    it('answers an open request also where a rule would refuse a new one', async () => {
      const { body } = await request('affiliate');
      await store.set('payouts.enabled', false);
      expect((await request('affiliate')).body.id).to.equal(body.id);
    });

    for (const [code, { guarantee, given, as = both, status = 400 }] of Object.entries(rules))
      for (const who of both) {
        const applies = as.includes(who);
        it(`${applies ? 'answers' : 'does not answer'} ${code} to ${who}: ${guarantee}`, async () => {
          await given(store);
          const before = await state();
          const answer = await request(who);
          if (!applies) return expect(answer.status).to.equal(201);
          expect([answer.status, answer.body.code]).to.deep.equal([status, code]);
          return expect(await state()).to.deep.equal(before);
        });
      }

    it('answers svc_api_no_affiliate for a coupon without an affiliate', async () => {
      const free = await coupon(store.service, 'FREE');
      const { status, body } = await request('admin', { couponId: free });
      expect([status, body.code]).to.deep.equal([400, 'svc_api_no_affiliate']);
    });

    it('answers svc_api_no_balance for a debt, from an order that was cancelled after its payout', async () => {
      store = await openPayoutStore(engine, { earned: 0 });
      const at = new Date(store.service.clock.now()).toISOString();
      const order = { id: newOrderId(), coupon: store.couponId, at, total: 1000 };
      await orders(store.service, [order]);
      const { body: payout } = await request('affiliate');
      await store.change(payout.id, 'paid');
      await orders(store.service, [{ ...order, status: 'cancelled' }]);
      expect(await store.pools()).to.deep.equal({ unpaid: -100, pending: 0, paid: 100 });
      for (const who of both) {
        const { status, body } = await request(who);
        expect([who, status, body.code]).to.deep.equal([who, 400, 'svc_api_no_balance']);
      }
    });

    it('rounds a minimum between two cents, stored before such were refused, up to the next cent', async () => {
      await store.service.storage.write(({ settings }) => settings.set('payouts.threshold', 100.001));
      await store.set('store.name', 'Ada');
      expect((await request('admin')).body.code).to.equal('svc_api_below_threshold');
    });

    it('fixes the time zone of the store once there are orders, because their days would change', async () => {
      const refusal = await store.set('store.timezone', 'Pacific/Auckland').then(String, String);
      expect(refusal).to.contain('store.timezone cannot change from UTC to Pacific/Auckland: there are orders, clicks or payouts');
      await store.set('store.timezone', 'UTC');
    });

    it('accepts an amount equal to the minimum', async () => {
      await store.set('payouts.threshold', 100);
      expect((await request('affiliate')).status).to.equal(201);
    });

    it('names the first rule that refuses it, in the order of the specification', async () => {
      store = await openPayoutStore(engine, { method: null });
      await store.set('payouts.threshold', 1000);
      expect((await request('affiliate')).body.code).to.equal('svc_api_below_threshold');
      await store.set('payouts.requests_enabled', false);
      expect((await request('affiliate')).body.code).to.equal('svc_api_requests_disabled');
      expect((await request('admin')).body.code).to.equal('svc_api_below_threshold');
      await store.set('payouts.enabled', false);
      expect((await request('affiliate')).body.code).to.equal('svc_api_payouts_disabled');
    });

    it('needs no details where the store requires none', async () => {
      store = await openPayoutStore(engine, { method: null });
      expect((await request('affiliate')).body.code).to.equal('svc_api_no_payout_details');
      await store.set('payouts.details_required', false);
      const { status, body } = await request('affiliate');
      expect([status, body.method, body.method_type, body.has_details]).to.deep.equal([201, '', '', false]);
    });

    it('answers a foreign coupon exactly like one that does not exist, to the upline of its owner too', async () => {
      const above = await store.service.user('above', 'affiliate');
      await parent(store.service, store.user.id, above.id);
      const client = await store.service.clientOf(above, ['read', 'write']);
      expect((await client.get(`/coupons/${store.couponId}`)).status).to.equal(200);
      const foreign = await client.post('/payouts', { json: { coupon_id: store.couponId } });
      const missing = await client.post('/payouts', { json: { coupon_id: 987654 } });
      expect([foreign.status, foreign.body]).to.deep.equal([404, missing.body]);
    });

    it('does not show the open request of the previous owner to a new owner of the coupon', async () => {
      await request('affiliate');
      const heir = await store.service.user('heir', 'affiliate');
      const observer = await engine.observe(store.service.databaseUrl);
      await observer.query(`update coupons set user_id = ${heir.id} where id = ${store.couponId}`);
      const client = await store.service.clientOf(heir, ['read', 'write']);
      const { status, body } = await client.post('/payouts', { json: { coupon_id: store.couponId } });
      expect([status, body.code]).to.deep.equal([409, 'svc_api_conflict']);
      // It is no answer to keep for a key: the next time, nothing stands in the way.
      const again = () => client.post('/payouts', { json: { coupon_id: store.couponId }, headers: { 'Idempotency-Key': 'heir-1' } });
      expect((await again()).body.code).to.equal('svc_api_conflict');
      await store.admin.post('/payouts/1/status', { json: { status: 'paid' } });
      expect((await again()).body.code).to.equal('svc_api_no_balance');
    });
  });
});
