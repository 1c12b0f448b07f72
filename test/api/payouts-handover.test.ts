import { expect } from 'chai';
import { assignCoupon } from '../../domain/coupons/create.ts';
import type { ApiError } from '../../domain/errors.ts';
import { setParent } from '../../domain/users/create.ts';
import { buildProgram } from '../../site/program.ts';
import { onAnyEngine } from '../support/engines.ts';
import { failPayout, openPayoutStore } from '../support/payouts.ts';
import { coupon } from '../support/program.ts';

onAnyEngine((engine) => {
  describe('payouts of a coupon that was assigned to another affiliate', () => {
    it('cannot be cancelled, reversed, failed or re-opened, and are not shown to the new owner', async () => {
      const store = await openPayoutStore(engine);
      const { service, couponId, change } = store;
      const heir = await service.user('heir', 'affiliate');
      const newOwner = await service.clientOf(heir, ['read', 'write']);
      const cancelled: number = (await store.request()).body.id;
      await change(cancelled, 'cancel');
      const paid: number = (await store.request()).body.id;
      expect((await change(paid, 'paid')).status).to.equal(200);
      const program = buildProgram(await service.settings.current());
      await service.storage.write((transaction) =>
        assignCoupon(transaction, couponId, heir.id, { now: service.clock.now(), userId: 0, program }),
      );
      const before = await store.pools();
      await store.earn(100);
      for (const [id, status] of [
        ...['pending', 'created', 'cancel'].map((to) => [paid, to] as const),
        ...['pending', 'created'].map((to) => [cancelled, to] as const),
      ]) {
        const { status: code, body } = await change(id, status);
        expect([code, body.code], `${id} → ${status}`).to.deep.equal([409, 'svc_api_conflict']);
        expect(body.message).to.match(/^Payout \d+ is one of The trail, and the coupon TRAIL10 has changed hands since\. /);
      }
      const failure = (await failPayout(service, paid).catch((error: unknown) => error)) as ApiError;
      expect([failure.code, failure.message.includes('has changed hands since')]).to.deep.equal(['svc_api_conflict', true]);
      expect(await store.pools()).to.deep.equal({ ...before, unpaid: 100 });
      expect((await newOwner.get('/payouts')).body).to.deep.equal([]);
      expect((await newOwner.get(`/payouts?coupon_id=${couponId}`)).body).to.deep.equal([]);
      expect((await newOwner.get(`/payouts/${paid}`)).status).to.equal(404);
      expect((await store.affiliate.get(`/payouts/${paid}`)).status).to.equal(200);
      const { body: feed } = await store.admin.get('/events?event=coupon_transferred');
      expect(feed).to.have.length(1);
    });

    it('count for the affiliate who was paid, and each affiliate, coupon and the report name what their balances consist of', async () => {
      const store = await openPayoutStore(engine, { settings: { 'addons.insights': true, 'multi_level.rates': [50] } });
      const { service, admin, couponId, user } = store;
      const heir = await service.user('heir', 'affiliate');
      const above = await service.user('above', 'affiliate');
      const ofAbove = await coupon(service, 'ABOVE', { userId: above.id });
      await service.storage.write((transaction) => setParent(transaction, heir.id, above.id));
      await store.change((await store.request()).body.id, 'paid');
      const context = { now: service.clock.now(), userId: 0, program: buildProgram(await service.settings.current()) };
      await service.storage.write((transaction) => assignCoupon(transaction, couponId, heir.id, context));
      await store.earn(40);
      const read = async (path: string) => {
        const { body } = await admin.get(path);
        const { total, ...parts } = body.balances as Record<string, number>;
        const { unpaid_commission, pending_order_commission, pending_payout_commission, paid_commission } = body.totals ?? body;
        const pools = unpaid_commission + pending_order_commission + pending_payout_commission + paid_commission;
        expect([Object.values(parts).reduce((sum, part) => sum + part), pools], path).to.deep.equal([total, total]);
        return { total, paid: paid_commission, ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== 0)) };
      };
      expect(await read(`/coupons/${couponId}`)).to.deep.equal({ total: 140, paid: 100, referred_commission: 140 });
      expect(await read(`/coupons/${ofAbove}`)).to.deep.equal({ total: 20, paid: 0, multi_level_commission: 20 });
      const ofHeir = { total: 40, paid: 0, referred_commission: 140, handed_over_commission: -100 };
      expect(await read(`/affiliates/${heir.id}`)).to.deep.equal(ofHeir);
      expect(await read(`/affiliates/${user.id}`)).to.deep.equal({ total: 100, paid: 100, handed_over_commission: 100 });
      expect((await read('/reports/summary')).total).to.equal(160);
      const { body: listed } = await admin.get<{ id: number; paid_commission: number }[]>('/affiliates?coupons=any');
      expect(listed.map(({ id, paid_commission }) => [id, paid_commission])).to.deep.include.members([[heir.id, 0]]);
      for (const [{ id }, paid] of [
        [heir, 0],
        [user, 100],
      ] as const)
        expect((await admin.get(`/affiliates/${id}/stats`)).body.totals.paid_commission).to.equal(paid);
      await service.settings.set('addons.insights', false);
      for (const path of [`/coupons/${couponId}`, `/affiliates/${heir.id}`])
        expect((await admin.get(path)).body).not.to.have.property('balances');
    });
  });
});
