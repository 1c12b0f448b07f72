import { expect } from 'chai';
import { toNumber } from '../../domain/money.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { expectConsistent } from './invariants.ts';
import { day, exampleOrder, order } from './samples.ts';
import { Shop } from './shop.ts';

onAnyEngine((engine) => {
  describe('a recorded order', () => {
    const shop = testFixture(() => Shop.open(engine));
    let couponId: number;
    let userId: number;
    beforeEach(async () => {
      ({ couponId, userId } = await shop.affiliate('TRAIL10'));
    });
    afterEach(() => expectConsistent(shop));

    const example = (given = {}) => exampleOrder(couponId, given);

    it('is granted at once when it is completed and there are no clearing days', async () => {
      expect(await shop.record(example())).to.deep.equal([{ orderId: 58_213, outcome: 'recorded', couponId, commission: 1618 }]);
      const kept = await shop.order(58_213);
      expect(kept).to.include({ commission: 1618, commissionStatus: 'granted', creditedVia: 'coupon', campaign: null, visitorHash: null });
      expect(kept).to.include({ day: '2026-10-05', grantedAt: kept.placedAt, couponId, usedCouponId: couponId });
      expect(await shop.balances(couponId)).to.deep.equal([0, 1618, 0, 0]);
    });

    it('records the referral and the commission events, in this order, with the data of webhooks', async () => {
      const importer = await shop.user('importer');
      shop.userId = importer;
      await shop.record(example());
      const referral = { order_id: 58_213, coupon_id: couponId, coupon: 'TRAIL10', user_id: userId, commission: 16.18 };
      const note = 'Order 58213 was cleared.';
      const added = { coupon_id: couponId, coupon: 'TRAIL10', user_id: userId, amount: 16.18, note, order_id: 58_213 };
      const common = { objectId: 58_213, userId: importer };
      expect((await shop.events()).slice(1)).to.deep.equal([
        { kind: 'referral', type: 'referral.created', ...common, info: 'Order 58213 was referred by TRAIL10.', data: referral },
        { kind: 'commission_added', type: 'commission.added', ...common, info: `16.18 EUR was added to TRAIL10: ${note}`, data: added },
      ]);
    });

    it('is a referral in every status, and earns nothing when it is failed or cancelled from the start', async () => {
      const statuses = ['pending', 'processing', 'on-hold', 'completed', 'failed', 'cancelled', 'refunded'] as const;
      await shop.record(...statuses.map((status, index) => order({ orderId: index + 1, couponId, status })));
      expect((await shop.events('referral')).map(({ data }) => data?.['commission'])).to.deep.equal([10, 10, 10, 10, 0, 0, 0]);
      expect(await shop.balances(couponId)).to.deep.equal([3000, 1000, 0, 0]);
    });

    it('changes nothing when it is recorded again, alone or in another batch', async () => {
      const orders = [example(), order({ orderId: 2, couponId, status: 'processing', campaign: 'autumn' })];
      await shop.record(...orders);
      const before = await shop.everything();
      shop.now += 90 * day;
      expect(await shop.outcomes(...orders)).to.deep.equal(['unchanged', 'unchanged']);
      expect(await shop.outcomes(example())).to.deep.equal(['unchanged']);
      expect(await shop.everything()).to.equal(before);
    });

    it('can be twice in one batch: the later one counts', async () => {
      expect(await shop.outcomes(example({ status: 'processing' }), example(), example())).to.deep.equal([
        'recorded',
        'changed',
        'unchanged',
      ]);
      expect(await shop.balances(couponId)).to.deep.equal([0, 1618, 0, 0]);
      expect((await shop.events()).map(({ kind }) => kind)).to.deep.equal(['affiliate_created', 'referral', 'commission_added']);
    });

    for (const [currency, decimals, percent, given, expected] of [
      ['JPY', 0, 12.5, { total: 1999 }, 250],
      ['KWD', 3, 7.5, { total: 12_345, discount: 1235 }, 0.833],
      ['EUR', 2, 10, { total: 17_980, discount: 1798 }, 16.18],
    ] as const)
      it(`has amounts in ${currency} with ${decimals} decimals in its events`, async () => {
        const rates = { percentThousandths: percent * 1000, fixedPerOrder: 0, fixedPerProduct: 0 };
        const foreign = await Shop.open(engine, { currency, rates });
        const affiliate = await foreign.affiliate('KOYA');
        await foreign.record(order({ orderId: 1, couponId: affiliate.couponId, ...given }));
        const [, unpaid] = await foreign.balances(affiliate.couponId);
        expect(toNumber(unpaid, currency)).to.equal(expected);
        const [added] = await foreign.events('commission_added');
        expect(added?.data?.['amount']).to.equal(expected);
        expect(added?.info).to.include(`${expected.toFixed(decimals)} ${currency} was added`);
      });

    it("earns by the coupon's own rates, including fixed amounts", async () => {
      const own = await shop.affiliate('OWN', { percentThousandths: 20_000, fixedPerOrder: 200, fixedPerProduct: 50 });
      await shop.record(order({ orderId: 1, couponId: own.couponId, quantity: 3 }));
      // 100.00 × 20 % + 2.00 + 3 × 0.50
      expect(await shop.balances(own.couponId)).to.deep.equal([0, 2350, 0, 0]);
    });

    it('of a coupon without an affiliate is in the feed, but not sent to webhooks', async () => {
      const other = await Shop.open(engine, { multiLevelThousandths: [5000] });
      const unassigned = await other.coupon('UNASSIGNED');
      await other.record(order({ orderId: 1, couponId: unassigned }));
      expect(await other.balances(unassigned)).to.deep.equal([0, 1000, 0, 0]);
      expect((await other.events()).map(({ kind, type, data }) => ({ kind, type, data }))).to.deep.equal([
        { kind: 'referral', type: null, data: null },
        { kind: 'commission_added', type: null, data: null },
      ]);
      await other.assign(unassigned, await other.user('ann'));
      const [assigned] = (await other.events('commission_added')).slice(-1);
      expect([assigned?.type, assigned?.data?.['amount'], assigned?.info], 'what the new owner has').to.deep.equal([
        'commission.added',
        10,
        '10.00 EUR was added to UNASSIGNED: Coupon 1 was assigned with the commission of its orders.',
      ]);
    });
  });
});
