import { expect } from 'chai';
import { listSentences, verifyLedger } from '../../domain/verification/verify.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { createEarner, openPayoutStore } from '../support/payouts.ts';
import { coupon } from '../support/program.ts';

const note = 'Thank you for the trail guide.';

onAnyEngine((engine) => {
  describe('POST /adjustments', () => {
    const store = testFixture(() => openPayoutStore(engine, { settings: { 'addons.management': true } }));
    const adjust = (amount: unknown, more: object = {}, headers: Record<string, string> = {}) =>
      store.admin.post('/adjustments', { json: { coupon_id: store.couponId, amount, note, ...more }, headers });
    const commissionEvents = async () => {
      const { body } = await store.admin.get<Record<string, unknown>[]>('/events?after=0&per_page=100');
      return body.filter(({ object_type }) => object_type === 'coupon');
    };
    const expectConsistent = async () => {
      const verification = await store.service.storage.read((db) => verifyLedger(db, { written: String }));
      expect(listSentences(verification)).to.deep.equal([]);
      const { balances, totals } = (await store.admin.get('/reports/summary')).body;
      const { total, ...lines } = balances as Record<string, number>;
      const sum = (amounts: number[]): number => Math.round(amounts.reduce((all, amount) => all + amount, 0) * 100);
      expect(sum(Object.values(lines))).to.equal(sum([total ?? 0]));
      const { unpaid_commission, pending_order_commission, pending_payout_commission, paid_commission } = totals;
      expect(sum([unpaid_commission, pending_order_commission, pending_payout_commission, paid_commission])).to.equal(sum([total ?? 0]));
    };

    it('adds a bonus to the unpaid balance, and changes neither orders nor statistics', async () => {
      const stats = (await store.admin.get(`/coupons/${store.couponId}/stats`)).body;
      const { status, body } = await adjust(25.5);
      expect(status).to.equal(201);
      expect(body).to.include({ coupon_id: store.couponId, coupon_code: 'TRAIL10', amount: 25.5, note });
      expect([body.user.id, body.by.display_name]).to.deep.equal([store.user.id, 'The boss']);
      expect(await store.pools()).to.deep.equal({ unpaid: 125.5, pending: 0, paid: 0 });
      const after = (await store.admin.get(`/coupons/${store.couponId}/stats`)).body;
      expect(after.total_commission).to.equal(stats.total_commission);
      expect(after.orders_count).to.equal(stats.orders_count);
      expect((await store.admin.get('/reports/summary')).body.balances.adjusted_commission).to.equal(25.5);
      await expectConsistent();
    });

    it('records commission_added or commission_removed with the note and without an order', async () => {
      await adjust(25);
      await adjust(-5.05, { note: 'A typing error.' });
      const [added, removed] = await commissionEvents();
      const data = { coupon_id: store.couponId, coupon: 'TRAIL10', user_id: store.user.id, order_id: null };
      expect(added).to.include({ event: 'commission_added', type: 'commission.added', info: `25.00 USD was added to TRAIL10: ${note}` });
      expect(added?.['data']).to.deep.equal({ ...data, amount: 25, note });
      expect(removed).to.include({ event: 'commission_removed', type: 'commission.removed' });
      expect(removed?.['data']).to.deep.equal({ ...data, amount: 5.05, note: 'A typing error.' });
    });

    it('keeps the note out of the ledger, which is never changed', async () => {
      const { id } = (await adjust(25)).body;
      const rows = await (await engine.observe(store.service.databaseUrl)).query("select note from ledger where reason = 'adjustment'");
      expect(rows).to.deep.equal([{ note: `Adjustment ${id}` }, { note: `Adjustment ${id}` }]);
    });

    it('leaves an open payout as it is, and the unpaid balance below zero, which later commission makes up for', async () => {
      const { id } = (await store.request()).body;
      expect((await adjust(-30)).status).to.equal(201);
      expect(await store.pools()).to.deep.equal({ unpaid: -30, pending: 100, paid: 0 });
      await expectConsistent();
      expect((await store.change(id, 'paid')).body.amount).to.equal(100);
      expect((await store.request()).body.code).to.equal('svc_api_no_balance');
      await store.earn(50);
      expect(await store.pools()).to.deep.equal({ unpaid: 20, pending: 0, paid: 100 });
      await expectConsistent();
    });

    it('can be paid out, and is undone by its opposite', async () => {
      await adjust(1);
      expect((await store.request()).body.amount).to.equal(101);
      await adjust(-1);
      expect(await store.pools()).to.deep.equal({ unpaid: -1, pending: 101, paid: 0 });
      expect((await store.admin.get('/reports/summary')).body.balances).not.to.have.property('adjusted_commission');
      await expectConsistent();
    });

    for (const amount of [0, -0, 0.001, 1.005, 1e-9, 1_000_000_001, '5', null])
      it(`refuses the amount ${JSON.stringify(amount)} and changes nothing`, async () => {
        const { status, body } = await adjust(amount);
        expect([status, Object.keys(body.data.params)]).to.deep.equal([400, ['amount']]);
        expect(await store.pools()).to.deep.equal({ unpaid: 100, pending: 0, paid: 0 });
        expect((await store.admin.get('/adjustments')).body).to.deep.equal([]);
      });

    it('refuses a note that is empty, has lines, or is too long', async () => {
      for (const bad of ['', ' ', 'a\nb', 'x'.repeat(501)]) {
        const { status, body } = await adjust(1, { note: bad });
        expect([status, Object.keys(body.data.params)]).to.deep.equal([400, ['note']]);
      }
    });

    it('refuses a coupon that does not exist or has no affiliate', async () => {
      expect((await adjust(1, { coupon_id: 999_999 })).body.code).to.equal('svc_api_not_found');
      const nobodys = await coupon(store.service, 'NOBODY', { userId: null });
      expect((await adjust(1, { coupon_id: nobodys })).body.code).to.equal('svc_api_no_affiliate');
    });

    it('moves the amount once for one Idempotency-Key, also for concurrent requests, and refuses another body', async () => {
      const headers = { 'Idempotency-Key': 'bonus-1' };
      const answers = await Promise.all(Array.from({ length: 6 }, () => adjust(25, {}, headers)));
      const created = answers.filter(({ status }) => status === 201);
      expect(created.length).to.be.at.least(1);
      expect(new Set(created.map(({ body }) => body.id)).size).to.equal(1);
      for (const { status, body } of answers)
        if (status !== 201) expect(`${body.code} ${body.message}`).to.match(/^svc_api_in_progress .* this Idempotency-Key is under way/);
      expect((await adjust(25, {}, headers)).body).to.deep.equal(created[0]?.body);
      for (const more of [{ amount: 26 }, { note: 'Other.' }, { coupon_id: 7 }])
        expect((await adjust(25, more, headers)).body.code).to.equal('svc_api_idempotency_mismatch');
      expect(await store.pools()).to.deep.equal({ unpaid: 125, pending: 0, paid: 0 });
    });

    it('is another request than POST /payouts of the same caller with the same Idempotency-Key', async () => {
      const headers = { 'Idempotency-Key': 'one' };
      const requested = await store.admin.post('/payouts', { json: { coupon_id: store.couponId }, headers });
      const adjusted = await adjust(25, {}, headers);
      expect([requested.status, adjusted.status, adjusted.body.amount]).to.deep.equal([201, 201, 25]);
      expect(await store.pools()).to.deep.equal({ unpaid: 25, pending: 100, paid: 0 });
    });

    it('loses nothing when adjustments, orders and payout requests of one coupon run at the same time', async () => {
      const work = Array.from({ length: 8 }, (_, n) => [() => adjust(n % 2 ? 3 : -1), () => store.earn(2), () => store.request()]).flat();
      await Promise.all(work.map((start) => start()));
      const { unpaid, pending } = await store.pools();
      const { body } = await store.admin.get<{ amount: number }[]>('/adjustments?per_page=100');
      const adjusted = body.reduce((sum, { amount }) => sum + amount, 0);
      expect(unpaid + pending).to.equal(100 + 8 * 2 + adjusted);
      expect(body.length).to.be.at.least(1);
      await expectConsistent();
    });
  });

  describe('GET /adjustments', () => {
    const store = testFixture(() => openPayoutStore(engine, { settings: { 'addons.management': true } }));

    it('shows admins all of them newest first, and affiliates their own without who entered them', async () => {
      const other = await createEarner(store.service, 'other', 10);
      const ids: number[] = [];
      for (const [index, coupon_id] of [store.couponId, other.couponId, store.couponId].entries())
        ids.unshift((await store.admin.post('/adjustments', { json: { coupon_id, amount: index + 1, note } })).body.id);
      const list = async (client: typeof store.admin, query = '') => {
        const { body, headers } = await client.get<{ id: number }[]>(`/adjustments${query}`);
        return [body.map(({ id }) => id), headers.get('X-Svc-Total')];
      };
      const [newest, foreign, oldest] = ids;
      expect(await list(store.admin)).to.deep.equal([ids, '3']);
      expect(await list(store.admin, '?per_page=1&page=2')).to.deep.equal([[foreign], '3']);
      expect(await list(store.admin, `?user_id=${other.user.id}`)).to.deep.equal([[foreign], '1']);
      expect(await list(store.admin, `?coupon_id=${store.couponId}`)).to.deep.equal([[newest, oldest], '2']);
      expect(await list(store.affiliate)).to.deep.equal([[newest, oldest], '2']);
      expect(await list(store.affiliate, `?user_id=${other.user.id}`)).to.deep.equal([[newest, oldest], '2']);
      expect(await list(store.affiliate, `?coupon_id=${other.couponId}`)).to.deep.equal([[], '0']);
      for (const one of (await store.affiliate.get('/adjustments')).body) expect(one).to.include({ note }).and.not.have.property('by');
    });
  });
});
