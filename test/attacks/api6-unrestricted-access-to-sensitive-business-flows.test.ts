import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { openPayoutStore } from '../support/payouts.ts';

// Races, replays and repeated requests: test/faults/payouts-race.test.ts, test/api/payouts-idempotency.test.ts and the tests of each flow.
onAnyEngine((engine) => {
  describe('API6:2023 Unrestricted Access to Sensitive Business Flows', () => {
    it('a payout request with an amount, a foreign coupon or a repeated coupon gets no more than the balance', async () => {
      const { service, admin, affiliate, couponId } = await openPayoutStore(engine);
      for (const json of [
        { coupon_id: couponId, amount: 1e6 },
        { coupon_id: [couponId, couponId] },
        { coupon_id: String(couponId) },
        { coupon_id: couponId + 0.5 },
        { coupon_id: -couponId },
      ]) {
        const { status, body } = await affiliate.post('/payouts', { json });
        if (status === 201) expect(body.amount).to.equal(100);
        else expect(status, JSON.stringify(json)).to.be.oneOf([400, 404]);
      }
      expect((await admin.get('/payouts')).body).to.have.length(1);
      await service.stop();
    });
  });
});
