import { expect } from 'chai';
import { orderStatuses } from '../../domain/orders/order.ts';
import { forEachEngine } from '../support/engines.ts';
import { seededRandom } from '../support/random.ts';
import { expectConsistent } from './invariants.ts';
import { at, order } from './samples.ts';
import { Shop } from './shop.ts';

forEachEngine((engine) => {
  describe('eight concurrent recordings of orders', () => {
    it('lose, duplicate and mix up nothing, even for the same orders', async () => {
      const shop = await Shop.open(engine, { multiLevelThousandths: [5000] });
      const first = await shop.affiliate('FIRST');
      const second = await shop.affiliate('SECOND', { parent: first.userId });
      const couponOf = (orderId: number): number => (orderId % 2 === 0 ? first : second).couponId;
      const random = seededRandom(4711);
      const anyOrder = () => {
        const orderId = 1 + random.below(60);
        const total = 1000 + random.below(9000);
        return order({
          orderId,
          couponId: couponOf(orderId),
          total,
          status: random.pick(orderStatuses),
          placedAt: at('2026-10-20T12:00:00Z'),
        });
      };
      const batches = Array.from({ length: 48 }, () => Array.from({ length: 1 + random.below(20) }, anyOrder));
      const write = async (): Promise<void> => {
        for (let batch = batches.pop(); batch; batch = batches.pop()) {
          for (const { outcome } of await shop.record(...batch)) expect(outcome).to.be.oneOf(['recorded', 'changed', 'unchanged']);
          await shop.grant(5);
        }
      };
      await Promise.all(Array.from({ length: 8 }, write));
      await expectConsistent(shop);
    });

    it('record the same order once', async () => {
      const shop = await Shop.open(engine);
      const { couponId } = await shop.affiliate('TRAIL10');
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => shop.record(order({ orderId: 1, couponId }))));
      expect(
        outcomes
          .flat()
          .map(({ outcome }) => outcome)
          .sort(),
      ).to.deep.equal(['recorded', ...Array(7).fill('unchanged')]);
      expect(await shop.balances(couponId)).to.deep.equal([0, 1000, 0, 0]);
      await expectConsistent(shop);
    });
  });
});
