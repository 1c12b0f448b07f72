import { expect } from 'chai';
import { setParent } from '../../domain/users/create.ts';
import { failureOf } from '../db/gate.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { expectConsistent } from './invariants.ts';
import { day, order } from './samples.ts';
import { Shop } from './shop.ts';

async function unpaidOf(shop: Shop, ...affiliates: { couponId: number }[]): Promise<number[]> {
  const amounts: number[] = [];
  for (const { couponId } of affiliates) amounts.push((await shop.balances(couponId))[1]);
  return amounts;
}

onAnyEngine((engine) => {
  describe('multi-level commission', () => {
    // 5 % of the commission to the parent, 2.5 % to the parent's parent.
    const shop = testFixture(() => Shop.open(engine, { multiLevelThousandths: [5000, 2500] }));
    const top = testFixture(() => shop.affiliate('TOP'));
    const middle = testFixture(() => shop.affiliate('MIDDLE', { parent: top.userId }));
    const seller = testFixture(() => shop.affiliate('TRAIL10', { parent: middle.userId }));
    afterEach(() => expectConsistent(shop));

    /** 179.80 - 17.98 = 161.82; 16.18. Tiers: 0.809 and 0.4045. */
    const example = (given = {}) => order({ orderId: 58_213, couponId: seller.couponId, total: 17_980, discount: 1798, ...given });
    const unpaid = () => unpaidOf(shop, seller, middle, top);

    it('is added when a commission is granted, rounded for each tier, and not before', async () => {
      await shop.record(example({ status: 'processing' }));
      expect(await unpaid()).to.deep.equal([0, 0, 0]);
      await shop.record(example());
      expect(await unpaid()).to.deep.equal([1618, 81, 40]);
      const [first, second] = await shop.events('mla_commission_added');
      const note = 'Share of the commission of order 58213.';
      expect(first).to.deep.equal({
        kind: 'mla_commission_added',
        type: 'commission.mla_added',
        objectId: 58_213,
        userId: 0,
        info: `0.81 EUR was added to MIDDLE: ${note}`,
        data: { coupon_id: middle.couponId, coupon: 'MIDDLE', user_id: middle.userId, amount: 0.81, note, order_id: 58_213 },
      });
      expect(second?.data).to.include({ coupon: 'TOP', amount: 0.4 });
      const reasons = await shop.observer.query<{ reason: string }>(`select reason from ledger where coupon_id <> ${seller.couponId}`);
      expect(reasons.map(({ reason }) => reason)).to.deep.equal(['mla', 'mla', 'mla', 'mla']);
    });

    it('is reduced by a refund, removed by a reversal, and restored when the order becomes active again', async () => {
      await shop.record(example());
      // 161.82 - 64.73 = 97.09 left: 16.18 × 97.09 / 161.82 = 9.7078…; 0.4855 and 0.24275
      await shop.record(example({ refunded: 6473 }));
      expect(await unpaid()).to.deep.equal([971, 49, 24]);
      expect((await shop.events('mla_commission_removed')).map(({ data }) => [data?.['amount'], data?.['note']])).to.deep.equal([
        [0.32, 'Order 58213 was refunded in part.'],
        [0.16, 'Order 58213 was refunded in part.'],
      ]);
      for (const status of ['cancelled', 'processing']) {
        await shop.record(example({ status }));
        expect(await unpaid(), status).to.deep.equal([0, 0, 0]);
      }
      await shop.record(example());
      expect(await unpaid()).to.deep.equal([1618, 81, 40]);
    });

    it('is removed also with a single tier', async () => {
      const single = order({ orderId: 1, couponId: middle.couponId });
      await shop.record(single);
      expect(await unpaidOf(shop, middle, top)).to.deep.equal([1000, 50]);
      await shop.record({ ...single, refunded: 5000 });
      expect(await unpaidOf(shop, middle, top)).to.deep.equal([500, 25]);
      await shop.record({ ...single, status: 'cancelled' });
      expect(await unpaidOf(shop, middle, top)).to.deep.equal([0, 0]);
    });

    it('keeps the recipients and rates of the first recording', async () => {
      await shop.record(example());
      const stranger = await shop.affiliate('STRANGER');
      await shop.database.write((transaction) => setParent(transaction, seller.userId, stranger.userId));
      shop.program = { ...shop.program, multiLevelThousandths: [50_000] };
      await shop.record(example({ refunded: 6473 }));
      expect(await unpaid()).to.deep.equal([971, 49, 24]);
      // With the add-on switched off.
      shop.program = { ...shop.program, multiLevelThousandths: [] };
      await shop.record(example({ status: 'refunded' }));
      expect(await unpaid()).to.deep.equal([0, 0, 0]);
      // And on again when the order becomes active again.
      shop.program = { ...shop.program, multiLevelThousandths: [50_000] };
      await shop.record(example());
      expect(await unpaid()).to.deep.equal([1618, 81, 40]);
      expect((await shop.balances(stranger.couponId))[1]).to.equal(0);
      // Nor does a parent who came after the grant.
      const own = order({ orderId: 1, couponId: stranger.couponId });
      await shop.record(own);
      await shop.database.write((transaction) => setParent(transaction, stranger.userId, top.userId));
      await shop.record({ ...own, refunded: 5000 }, { ...own, orderId: 2 });
      // 10.00 of the second order; 50 %
      expect(await unpaid()).to.deep.equal([1618, 81, 40 + 500]);
    });

    it("is credited to the recipient's oldest published coupon", async () => {
      await shop.coupon('YOUNGER', { userId: middle.userId, createdAt: shop.now - 1 });
      const oldest = await shop.coupon('OLDEST', { userId: middle.userId, createdAt: shop.now - 2 });
      await shop.coupon('DRAFT', { userId: middle.userId, createdAt: shop.now - 3, status: 'draft' });
      await shop.record(example());
      expect((await shop.balances(oldest))[1]).to.equal(81);
    });

    it('skips a recipient without a published coupon; the tiers above keep their own rates', async () => {
      const bare = await shop.user('bare', { parent: top.userId });
      const other = await shop.affiliate('OTHER', { parent: bare });
      await shop.record(order({ orderId: 1, couponId: other.couponId }));
      // 10.00; 2.5 % = 0.25
      expect((await shop.balances(top.couponId))[1]).to.equal(25);
      expect((await shop.events('mla_commission_added')).length).to.equal(1);
    });

    it('is limited to the configured tiers, and is zero without any', async () => {
      const deep = await shop.affiliate('DEEP', { parent: seller.userId });
      await shop.record(order({ orderId: 1, couponId: deep.couponId }));
      expect(await unpaid()).to.deep.equal([50, 25, 0]);
      shop.program = { ...shop.program, multiLevelThousandths: [] };
      await shop.record(order({ orderId: 2, couponId: deep.couponId }));
      expect(await unpaid()).to.deep.equal([50, 25, 0]);
      shop.program = { ...shop.program, multiLevelThousandths: [5000] };
      await shop.record(order({ orderId: 3, couponId: deep.couponId }));
      expect(await unpaid()).to.deep.equal([100, 25, 0]);
    });

    it('is added also when the clearing job grants', async () => {
      shop.program = { ...shop.program, clearingDays: 60 };
      await shop.record(example());
      expect(await unpaid()).to.deep.equal([0, 0, 0]);
      shop.now += 60 * day;
      expect(await shop.grant()).to.equal(1);
      expect(await unpaid()).to.deep.equal([1618, 81, 40]);
    });

    it('is the same for a batch of orders as for single orders', async () => {
      const orders = Array.from({ length: 40 }, (_, index) =>
        order({ orderId: index + 1, couponId: seller.couponId, total: 10 * (index + 1) }),
      );
      await shop.record(...orders);
      const together = await unpaid();
      const other = await Shop.open(engine, shop.program);
      const above = await other.affiliate('TOP');
      const parent = await other.affiliate('MIDDLE', { parent: above.userId });
      const child = await other.affiliate('TRAIL10', { parent: parent.userId });
      for (const one of orders) await other.record({ ...one, couponId: child.couponId });
      expect(await unpaidOf(other, child, parent, above)).to.deep.equal(together);
    });

    it('rejects a parent that would close a cycle', async () => {
      const name = (userId: number, parentId: number) =>
        failureOf(shop.database.write((transaction) => setParent(transaction, userId, parentId)));
      expect((await name(top.userId, seller.userId))?.message).to.equal('The top would be their own multi-level parent.');
      expect((await name(top.userId, middle.userId))?.message).to.match(/own multi-level parent/);
      expect((await name(top.userId, top.userId))?.message).to.match(/own multi-level parent/);
      expect((await name(top.userId, 999))?.message).to.equal('There is no such user.');
    });

    it('ends at a cycle of parents in the stored data', async () => {
      await shop.database.write(({ programUsers }) => programUsers.setParent(top.userId, seller.userId));
      const ancestors = await shop.database.read(({ programUsers }) => programUsers.above([seller.userId], 10));
      expect(ancestors.map(({ tier, ancestorId }) => [tier, ancestorId])).to.deep.equal([
        [1, middle.userId],
        [2, top.userId],
      ]);
    });
  });
});
