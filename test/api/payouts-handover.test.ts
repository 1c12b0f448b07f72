import { expect } from 'chai';
import { assignCoupon } from '../../domain/coupons/create.ts';
import type { ApiError } from '../../domain/errors.ts';
import type { User } from '../../domain/users/user.ts';
import { buildProgram } from '../../site/program.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { forEachEngine } from '../support/engines.ts';
import { failPayout, openPayoutStore, type PayoutStore } from '../support/payouts.ts';

forEachEngine((engine) => {
  describe('payouts of a coupon that was assigned to another affiliate', () => {
    let store: PayoutStore;
    let heir: User;
    let newOwner: ContractClient;
    before(async () => {
      store = await openPayoutStore(engine);
      heir = await store.service.user('heir', 'affiliate');
      newOwner = await store.service.client((await store.service.key(heir, ['read', 'write'])).headers);
    });
    after(() => store.service.stop());

    const request = async (): Promise<number> => (await store.affiliate.post('/payouts', { json: { coupon_id: store.couponId } })).body.id;
    const change = (id: number, status: string) => store.admin.post(`/payouts/${id}/status`, { json: { status } });

    it('cannot be cancelled, reversed, failed or re-opened, and are not shown to the new owner', async () => {
      const cancelled = await request();
      await change(cancelled, 'cancel');
      const paid = await request();
      expect((await change(paid, 'paid')).status).to.equal(200);
      const { service, couponId } = store;
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
