import { expect } from 'chai';
import { assignCoupon } from '../../domain/coupons/create.ts';
import type { ApiError } from '../../domain/errors.ts';
import { buildProgram } from '../../site/program.ts';
import { forEachEngine } from '../support/engines.ts';
import { failPayout, openPayoutStore } from '../support/payouts.ts';

forEachEngine((engine) => {
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
  });
});
