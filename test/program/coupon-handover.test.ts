import { expect } from 'chai';
import { setParent } from '../../domain/users/create.ts';
import { listSentences, verifyLedger } from '../../domain/verification/verify.ts';
import { failureOf } from '../db/gate.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { expectBalanceSources } from './invariants.ts';
import { changedPayout, requestedPayout } from './payouts.ts';
import { day, order } from './samples.ts';
import { Shop } from './shop.ts';

onAnyEngine((engine) => {
  describe('a coupon that is assigned to another owner', () => {
    const shop = testFixture(() => Shop.open(engine));
    const ann = testFixture(() => shop.affiliate('ANN10'));
    let bob: number;
    beforeEach(async () => {
      bob = await shop.user('bob');
    });
    afterEach(async () => {
      const verification = await shop.database.read((db) => verifyLedger(db, { written: String }));
      expect(listSentences(verification)).to.deep.equal([]);
      await expectBalanceSources(shop);
    });

    const reasonAgainst = async (userId: number | null): Promise<string | undefined> =>
      (await failureOf(shop.assign(ann.couponId, userId)))?.message;
    const paid = async (): Promise<void> => {
      await changedPayout(shop, await requestedPayout(shop, ann), 'paid');
    };

    it('changes its owner without a balance, with an event that names both owners', async () => {
      await shop.assign(ann.couponId, bob);
      expect((await shop.events('coupon_transferred'))[0]).to.deep.include({
        objectId: ann.couponId,
        type: null,
        data: null,
        info: `Coupon ANN10 was transferred from The ann10 (user ${ann.userId}) to The bob (user ${bob}).`,
      });
    });

    it('cannot change its owner while a payout is open or with a balance, not even to none', async () => {
      await shop.record(order({ orderId: 1, couponId: ann.couponId }));
      for (const to of [bob, null])
        expect(await reasonAgainst(to)).to.equal(
          `Coupon ${ann.couponId} (ANN10) holds commission of its owner: 10.00 EUR unpaid and 0.00 EUR of orders that are not cleared. ` +
            'Pay it out before the coupon changes hands, or transfer it to the new owner: affiliate import --transfer-balance.',
        );
      const payout = await requestedPayout(shop, ann);
      shop.transferBalance = true;
      expect(await reasonAgainst(bob)).to.match(new RegExp(`has an open payout, ${payout.id}\\.`));
      expect(await shop.events('coupon_transferred')).to.deep.equal([]);
    });

    it('moves its balance on request, all of it as unpaid, by movements that name both owners', async () => {
      shop.program = { ...shop.program, clearingDays: 14 };
      await shop.record(order({ orderId: 1, couponId: ann.couponId }), order({ orderId: 2, couponId: ann.couponId, placedAt: shop.now }));
      expect(await shop.balances(ann.couponId)).to.deep.equal([1000, 1000, 0, 0]);
      shop.transferBalance = true;
      await shop.assign(ann.couponId, bob);
      expect(await shop.balances(ann.couponId)).to.deep.equal([0, 2000, 0, 0]);
      const notes = await shop.observer.query<{ note: string }>(`select distinct note from ledger where reason = 'transfer'`);
      expect(notes).to.deep.equal([{ note: `Coupon ${ann.couponId} was transferred from user ${ann.userId} to user ${bob}.` }]);
      expect((await shop.events('coupon_transferred'))[0]?.info).to.match(/\(user \d+\), with 20\.00 EUR of commission\.$/);
      // The clearing of an order of the former owner, and its refund.
      shop.now += 15 * day;
      expect(await shop.grant()).to.equal(1);
      await shop.record(order({ orderId: 2, couponId: ann.couponId, placedAt: shop.now - 15 * day, status: 'refunded' }));
      expect(await shop.balances(ann.couponId)).to.deep.equal([0, 2000, 0, 0]);
      expect(await shop.order(2)).to.include({ commission: 0, commissionStatus: 'reversed' });
    });

    it('is not changed by later changes of earlier orders, and neither is the upline of the new owner', async () => {
      shop.program = { ...shop.program, multiLevelThousandths: [50_000] };
      const boss = await shop.affiliate('BOSS');
      await shop.record(order({ orderId: 1, couponId: ann.couponId }), order({ orderId: 2, couponId: ann.couponId, status: 'cancelled' }));
      await paid();
      await shop.assign(ann.couponId, bob);
      await shop.database.write((transaction) => setParent(transaction, bob, boss.userId));
      await shop.record(order({ orderId: 1, couponId: ann.couponId, refunded: 5000 }), order({ orderId: 2, couponId: ann.couponId }));
      expect(await shop.balances(ann.couponId)).to.deep.equal([0, 0, 0, 1000]);
      await shop.record(order({ orderId: 1, couponId: ann.couponId, status: 'refunded' }), order({ orderId: 3, couponId: ann.couponId }));
      expect([await shop.balances(ann.couponId), await shop.balances(boss.couponId)]).to.deep.equal([
        [0, 1000, 0, 1000],
        [0, 500, 0, 0],
      ]);
      const removed = await shop.events('commission_removed');
      expect(removed.map(({ type, data }) => [type, data])).to.deep.equal([
        [null, null],
        [null, null],
      ]);
      expect(removed[0]?.info).to.equal(
        "5.00 EUR was taken from the store's account instead of ANN10, which has changed hands since: Order 1 was refunded in part.",
      );
      const [account] = await shop.observer.query<{ sum: unknown }>(
        `select sum(amount_minor) as sum from ledger where pool = 'handed_over'`,
      );
      expect(Number(account?.sum)).to.equal(0);
    });

    it('does not mix the share of a former owner with the balance of the new one', async () => {
      shop.program = { ...shop.program, multiLevelThousandths: [50_000] };
      const kid = await shop.affiliate('KID', { parent: ann.userId });
      await shop.record(order({ orderId: 1, couponId: kid.couponId }));
      expect(await shop.balances(ann.couponId)).to.deep.equal([0, 500, 0, 0]);
      await paid();
      await shop.assign(ann.couponId, bob);
      await shop.record(order({ orderId: 1, couponId: kid.couponId, status: 'refunded' }));
      expect([await shop.balances(ann.couponId), await shop.balances(kid.couponId)]).to.deep.equal([
        [0, 0, 0, 500],
        [0, 0, 0, 0],
      ]);
    });

    it('has a former owner only if it had one: what it earned without an owner belongs to the first owner', async () => {
      const couponId = await shop.coupon('FREE10');
      await shop.record(order({ orderId: 1, couponId }));
      await shop.assign(couponId, bob);
      await shop.record(order({ orderId: 1, couponId, refunded: 5000 }));
      expect(await shop.balances(couponId)).to.deep.equal([0, 500, 0, 0]);
      expect(await shop.events('coupon_transferred')).to.deep.equal([]);
    });
  });
});
