import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { expectConsistent } from './invariants.ts';
import { changedPayout, requestedPayout } from './payouts.ts';
import { day, exampleOrder, order } from './samples.ts';
import { Shop } from './shop.ts';

onAnyEngine((engine) => {
  describe('a changed order', () => {
    const shop = testFixture(() => Shop.open(engine));
    let couponId: number;
    let userId: number;
    beforeEach(async () => {
      ({ couponId, userId } = await shop.affiliate('TRAIL10'));
    });
    afterEach(() => expectConsistent(shop));

    const example = (given = {}) => exampleOrder(couponId, given);

    it('keeps the rates and the clearing days of its first recording', async () => {
      await shop.record(example({ status: 'processing' }));
      shop.program = {
        ...shop.program,
        rates: { percentThousandths: 50_000, fixedPerOrder: 100, fixedPerProduct: 100 },
        clearingDays: 365,
      };
      await shop.record(example({ total: 18_980 }));
      // 189.80 - 17.98 = 171.82; still 10 %
      expect(await shop.order(58_213)).to.include({ commission: 1718, commissionStatus: 'granted', grantedAt: shop.now });
    });

    it('takes back the difference of a partial refund after it was granted', async () => {
      // 240.00 - 24.00 = 216.00; 21.60; refunded 54.00: 21.60 × 162 / 216 = 16.20
      const refunded = { orderId: 58_340, couponId, total: 24_000, discount: 2400 };
      await shop.record(order(refunded));
      expect(await shop.outcomes(order({ ...refunded, refunded: 5400 }))).to.deep.equal(['changed']);
      expect(await shop.balances(couponId)).to.deep.equal([0, 1620, 0, 0]);
      const [removed] = await shop.events('commission_removed');
      expect(removed).to.include({
        type: 'commission.removed',
        info: '5.40 EUR was taken from TRAIL10: Order 58340 was refunded in part.',
      });
      expect(removed?.data).to.deep.include({ amount: 5.4, note: 'Order 58340 was refunded in part.', order_id: 58_340 });
    });

    it('adds the difference when its total grows after it was granted', async () => {
      await shop.record(example());
      await shop.record(example({ total: 19_980 }));
      // 199.80 - 17.98 = 181.82; 18.18; 2.00 more
      expect((await shop.events('commission_added')).map(({ data }) => data?.['amount'])).to.deep.equal([16.18, 2]);
      expect(await shop.balances(couponId)).to.deep.equal([0, 1818, 0, 0]);
    });

    it('makes unpaid negative when it is refunded in full after a payout', async () => {
      await shop.record(example());
      await changedPayout(shop, await requestedPayout(shop, { userId, couponId }), 'paid');
      expect(await shop.balances(couponId)).to.deep.equal([0, 0, 0, 1618]);
      await shop.record(example({ refunded: 16_182 }));
      expect(await shop.balances(couponId)).to.deep.equal([0, -1618, 0, 1618]);
      expect(await shop.order(58_213)).to.include({ commission: 0, commissionStatus: 'reversed', grantedAt: null });
    });

    it('restores its commission when a cancelled order becomes active again', async () => {
      await shop.record(example());
      await shop.record(example({ status: 'cancelled' }));
      expect(await shop.balances(couponId)).to.deep.equal([0, 0, 0, 0]);
      await shop.record(example({ status: 'processing' }));
      expect(await shop.balances(couponId)).to.deep.equal([1618, 0, 0, 0]);
      await shop.record(example({ status: 'failed' }));
      shop.now += day;
      await shop.record(example());
      expect(await shop.balances(couponId)).to.deep.equal([0, 1618, 0, 0]);
      expect(await shop.order(58_213)).to.include({ commissionStatus: 'granted', grantedAt: shop.now });
      const kinds = (await shop.events()).map(({ kind }) => kind);
      expect(kinds.slice(1)).to.deep.equal(['referral', 'commission_added', 'commission_removed', 'commission_added']);
      expect((await shop.events('commission_removed'))[0]?.data?.['note']).to.equal('Order 58213 was cancelled.');
    });

    it('stays granted when its status returns from completed to processing', async () => {
      await shop.record(example());
      await shop.record(example({ status: 'processing' }));
      expect(await shop.balances(couponId)).to.deep.equal([0, 1618, 0, 0]);
    });

    it('is refused as one of another shop when it was placed more than a day before or after the recorded one', async () => {
      await shop.record(example());
      const before = await shop.everything();
      const { placedAt } = await shop.order(58_213);
      const reason = 'The recorded order with this number was placed on another day: this one is of another shop.';
      for (const distance of [day + 1, -day - 1, 400 * day])
        expect((await shop.record(example({ placedAt: placedAt + distance, total: 999_900 })))[0]).to.include({
          outcome: 'refused',
          reason,
        });
      expect(await shop.everything()).to.equal(before);
      expect((await shop.record(example({ placedAt: placedAt + day })))[0]).to.include({ outcome: 'changed' });
    });

    it('moves its figures when its day changes, and its due date by the same time', async () => {
      shop.program = { ...shop.program, clearingDays: 14 };
      await shop.record(example({ status: 'processing' }));
      const { dueAt, placedAt } = await shop.order(58_213);
      await shop.record(example({ status: 'processing', placedAt: placedAt + day }));
      expect(await shop.order(58_213)).to.include({ day: '2026-10-06', dueAt: dueAt + day });
    });
  });
});
