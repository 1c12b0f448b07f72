import { expect } from 'chai';
import { failureOf } from '../db/gate.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { Shop } from './shop.ts';

onAnyEngine((engine) => {
  describe('creating and assigning a coupon', () => {
    const shop = testFixture(() => Shop.open(engine));

    const roleOf = async (userId: number) => (await shop.database.read(({ users }) => users.byId(userId)))?.role;
    const terms = async (id: number) => (await shop.database.read(({ couponTerms }) => couponTerms.byIds([id])))[0];

    it('stores all its fields', async () => {
      const userId = await shop.user('ann');
      const given = {
        userId,
        status: 'private',
        createdAt: 1000,
        percentThousandths: 12_500,
        fixedPerOrder: 200,
        fixedPerProduct: 50,
      } as const;
      const id = await shop.coupon('Größe10', { ...given, discountType: 'fixed_cart', discountAmount: 500 });
      const expected = {
        id,
        code: 'Größe10',
        codeFolded: 'größe10',
        ...given,
        discountType: 'fixed_cart',
        discountAmount: 500,
        handovers: 0,
        forfeits: [],
      };
      expect(await terms(id)).to.deep.equal(expected);
      expect(await shop.balances(id)).to.deep.equal([0, 0, 0, 0]);
    });

    it('makes the user an affiliate, with one event', async () => {
      shop.userId = 9;
      const userId = await shop.user('ann');
      const first = await shop.coupon('FIRST', { userId });
      await shop.coupon('SECOND', { userId });
      expect(await roleOf(userId)).to.equal('affiliate');
      expect(await shop.events()).to.deep.equal([
        {
          kind: 'affiliate_created',
          type: 'affiliate.created',
          objectId: userId,
          userId: 9,
          info: 'The ann became an affiliate with FIRST.',
          data: { user_id: userId, coupon_id: first, coupon: 'FIRST', coupon_ids: [first] },
        },
      ]);
    });

    it('does not change the role of managers and administrators', async () => {
      const userId = await shop.user('boss', { role: 'manager' });
      await shop.coupon('BOSS', { userId });
      expect(await roleOf(userId)).to.equal('manager');
      expect((await shop.events('affiliate_created')).length).to.equal(1);
    });

    it('keeps a provided id, and later coupons get other ids', async () => {
      expect(await shop.coupon('KEPT', { id: 301 })).to.equal(301);
      const ids = [await shop.coupon('NEXT'), await shop.coupon('AFTER', { id: 17 }), await shop.coupon('LAST')];
      expect(new Set([301, ...ids]).size).to.equal(4);
      expect(ids[1]).to.equal(17);
    });

    it('changes nothing when it is repeated, and rejects the id of another coupon', async () => {
      const userId = await shop.user('ann');
      await shop.coupon('TRAIL10', { id: 301, userId });
      const before = await shop.everything();
      expect(await shop.coupon('trail10', { id: 301, userId })).to.equal(301);
      expect(await shop.everything()).to.equal(before);
      expect((await failureOf(shop.coupon('OTHER', { id: 301 })))?.message).to.equal('Coupon 301 exists already, with the code TRAIL10.');
    });

    it('allows the code of another coupon', async () => {
      const ids = [await shop.coupon('SAME'), await shop.coupon('same')];
      expect(new Set(ids).size).to.equal(2);
      const found = await shop.database.read(({ couponTerms }) => couponTerms.publishedByCodes(['same']));
      expect(found.map(({ id }) => id)).to.deep.equal(ids);
    });

    it('can be assigned, assigned again without effect, and unassigned', async () => {
      const userId = await shop.user('ann');
      const id = await shop.coupon('TRAIL10');
      await shop.assign(id, userId);
      await shop.assign(id, userId);
      expect([(await terms(id))?.userId, await roleOf(userId)]).to.deep.equal([userId, 'affiliate']);
      expect((await shop.events('affiliate_created')).length).to.equal(1);
      await shop.assign(id, null);
      expect((await terms(id))?.userId).to.equal(null);
    });

    it('rejects a user that does not exist', async () => {
      expect((await failureOf(shop.coupon('TRAIL10', { userId: 999 })))?.message).to.equal('There is no such user.');
      const id = await shop.coupon('TRAIL10');
      expect((await failureOf(shop.assign(id, 999)))?.message).to.equal('There is no such user.');
      expect((await failureOf(shop.assign(999, null)))?.message).to.equal('There is no such coupon.');
    });
  });
});
