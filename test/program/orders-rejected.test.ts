import { expect } from 'chai';
import type { IncomingOrder } from '../../domain/order-recording/incoming.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { expectConsistent } from './invariants.ts';
import { order } from './samples.ts';
import { Shop } from './shop.ts';

onAnyEngine((engine) => {
  describe('an invalid order', () => {
    const shop = testFixture(() => Shop.open(engine));
    let couponId: number;
    beforeEach(async () => {
      ({ couponId } = await shop.affiliate('TRAIL10'));
    });
    afterEach(() => expectConsistent(shop));

    const reasonFor = async (given: Partial<IncomingOrder>): Promise<string> => {
      const [outcome] = await shop.record(order({ orderId: 7, couponId, ...given }));
      return outcome?.outcome === 'refused' ? outcome.reason : `it was ${outcome?.outcome}`;
    };

    it('is rejected with a readable reason', async () => {
      expect(await reasonFor({ orderId: 0 })).to.equal('The order number must be a whole number above zero.');
      expect(await reasonFor({ orderId: 1.5 })).to.equal('The order number must be a whole number above zero.');
      expect(await reasonFor({ status: 'shipped' as 'completed' })).to.match(/^The status must be one of pending, processing,/);
      expect(await reasonFor({ placedAt: Number.NaN })).to.equal('The date must lie between the years 1970 and 9999.');
      expect(await reasonFor({ placedAt: 8.64e15 })).to.equal('The date must lie between the years 1970 and 9999.');
      for (const amount of ['total', 'discount', 'shipping', 'tax', 'refunded'] as const) {
        expect(await reasonFor({ [amount]: -1 })).to.match(new RegExp(`^The amount ${amount} must be zero or more`));
        expect(await reasonFor({ [amount]: 0.5 })).to.match(new RegExp(`^The amount ${amount} must be zero or more`));
        expect(await reasonFor({ [amount]: 2 ** 53 })).to.match(new RegExp(`^The amount ${amount} must be zero or more`));
      }
      expect(await reasonFor({ quantity: -1 })).to.equal('The quantity must be a whole number from 0 to 1000000.');
      expect(await reasonFor({ discount: 10_001 })).to.equal('The discount is larger than the total.');
      expect(await reasonFor({ discount: 1000, refunded: 9001 })).to.match(/^The refund is larger than what was paid for the goods/);
      expect(await reasonFor({ campaign: 'a\0b' })).to.equal('The campaign contains characters that cannot be stored.');
      expect(await reasonFor({ campaign: 'a\uD800' })).to.equal('The campaign contains characters that cannot be stored.');
    });

    it('is rejected when its coupon is unknown, or its code matches none or several', async () => {
      expect(await reasonFor({ couponId: 999 })).to.equal('There is no coupon 999.');
      expect(await reasonFor({ couponId: -1 })).to.equal('There is no coupon -1.');
      const byCode = (couponCode: string) => reasonFor({ couponId: undefined, couponCode });
      expect(await byCode('nothing')).to.equal('There is no published coupon with the code nothing.');
      expect(await byCode('a\0b')).to.equal('There is no published coupon with the code a\0b.');
      await shop.coupon('draft10', { status: 'draft' });
      expect(await byCode('DRAFT10')).to.equal('There is no published coupon with the code DRAFT10.');
      await shop.coupon('trail10');
      expect(await byCode('TRAIL10')).to.match(/^More than one published coupon answers to the code TRAIL10\./);
    });

    it('is rejected when its commission would exceed exact numbers', async () => {
      const { couponId: generous } = await shop.affiliate('GENEROUS', { fixedPerProduct: 1_000_000_000_000 });
      expect(await reasonFor({ couponId: generous, quantity: 1_000_000 })).to.equal('The commission would be beyond all bounds.');
    });

    it('does not affect other orders of its batch', async () => {
      const outcomes = await shop.record(
        order({ orderId: 1, couponId }),
        order({ orderId: 2, couponId: 999 }),
        order({ orderId: 3, couponId, total: -1 }),
        order({ orderId: 4, couponCode: 'trail10' }),
        order({ orderId: 5 }),
      );
      expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['recorded', 'refused', 'refused', 'recorded', 'unattributed']);
      expect(await shop.balances(couponId)).to.deep.equal([0, 2000, 0, 0]);
    });

    it('is not stored without a referrer, and is recorded once it has one', async () => {
      const before = await shop.everything();
      expect(await shop.record(order({ orderId: 5, visitor: 'unknown' }))).to.deep.equal([
        { orderId: 5, outcome: 'unattributed', isVisitorUnknown: true },
      ]);
      expect(await shop.everything()).to.equal(before);
      expect(await shop.record(order({ orderId: 5, couponId }))).to.deep.equal([
        { orderId: 5, outcome: 'recorded', couponId, commission: 1000 },
      ]);
    });

    it('cannot change its coupon after the first recording', async () => {
      const { couponId: another } = await shop.affiliate('SUMMIT10');
      await shop.record(order({ orderId: 7, couponId }));
      const refusal = `The order was recorded with coupon ${couponId}, and its coupon cannot change.`;
      expect(await reasonFor({ couponId: another })).to.equal(refusal);
      expect(await reasonFor({ couponId: undefined, couponCode: 'SUMMIT10' })).to.equal(refusal);
    });

    it('can omit its coupon in a change, or name it by a code that has become ambiguous', async () => {
      await shop.record(order({ orderId: 7, couponCode: 'Trail10' }));
      await shop.coupon('TRAIL10');
      const changes = [
        order({ orderId: 7, couponCode: 'TRAIL10' }),
        order({ orderId: 7, shipping: 0 }),
        order({ orderId: 7, couponId, tax: 0 }),
      ];
      expect((await shop.record(...changes)).map(({ outcome }) => outcome)).to.deep.equal(['unchanged', 'changed', 'changed']);
    });
  });
});
