import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { openPayoutStore } from '../support/payouts.ts';
import { coupon, newOrderId, orders } from '../support/program.ts';
import { startService, type TestService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('store.currency', () => {
    const setCurrency = async (service: TestService): Promise<string> => {
      const refusal = await service.settings.set('store.currency', 'JPY').catch((error: Error) => error.message);
      return refusal ?? 'changed';
    };
    const refusal =
      'store.currency cannot change from USD to JPY: there are amounts in USD already. To use another, set it in a new database before the first record, and import everything there.';

    it('can change while nothing is stored, and not once there is an order, although it earned nothing', async () => {
      const service = await startService(engine);
      const couponId = await coupon(service, 'TRAIL10', { userId: (await service.user('ann', 'affiliate')).id });
      expect(await setCurrency(service)).to.equal('changed');
      await service.settings.unset('store.currency');
      await orders(service, [{ id: newOrderId(), coupon: couponId, at: '2026-10-05T12:31:07Z', status: 'cancelled' }]);
      expect(await setCurrency(service)).to.equal(refusal);
    });

    it('cannot change while the only amount is a cancelled payout of commission that was reversed', async () => {
      const store = await openPayoutStore(engine, { earned: 0 });
      const order = { id: newOrderId(), coupon: store.couponId, at: '2026-10-05T12:31:07Z' };
      await orders(store.service, [order]);
      await store.change((await store.request()).body.id, 'cancel');
      await orders(store.service, [{ ...order, status: 'refunded' }]);
      expect(await store.pools()).to.deep.equal({ unpaid: 0, pending: 0, paid: 0 });
      expect(await setCurrency(store.service)).to.equal(refusal);
    });
  });
});
