import { expect } from 'chai';
import type { NewCouponTerms } from '../../domain/coupons/terms.ts';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { newCoupon, savedUser } from './samples.ts';

describe('the coupon store', () => {
  forEachEngine((engine) => {
    const database = testFixture(() => engine.open());
    const observer = testFixture(() => engine.observe(database.url));
    let userId: number;
    beforeEach(async () => {
      userId = await savedUser(database);
    });

    const saved = (coupon: Partial<NewCouponTerms> = {}): Promise<number> =>
      database.write(({ couponTerms }) => couponTerms.insert(newCoupon({ userId, ...coupon }), null));
    const ofUser = (user = userId) => database.read(({ coupons }) => coupons.newestOf([user], 100));
    const zeroBalances = { unpaid: 0, pendingOrder: 0, pendingPayout: 0, paid: 0 };

    it('returns a coupon as inserted, with balances of zero', async () => {
      const inserted = { code: 'Ann10', status: 'draft', createdAt: 3000 } as const;
      const id = await saved(inserted);
      expect(await ofUser()).to.deep.equal([{ ...inserted, id, userId, balances: zeroBalances }]);
    });

    it('lists the coupons of a user newest first, without those of others', async () => {
      const ids = [await saved({ createdAt: 2000 }), await saved({ createdAt: 1000 }), await saved({ createdAt: 2000 })];
      await saved({ userId: null });
      await saved({ userId: await savedUser(database) });
      expect((await ofUser()).map(({ id }) => id)).to.deep.equal([ids[2], ids[0], ids[1]]);
      expect(await ofUser(1e30)).to.deep.equal([]);
    });

    it('reports money as soon as one balance of one coupon is above or below zero, or a coupon has a fixed rate or discount', async () => {
      const anyMoney = () => database.read(({ coupons }) => coupons.anyMoney());
      expect(await anyMoney()).to.equal(false);
      const id = await saved();
      await saved();
      expect(await anyMoney()).to.equal(false);
      for (const balance of ['unpaid_minor', 'pending_order_minor', 'pending_payout_minor', 'paid_minor']) {
        await observer.query(`update coupons set ${balance} = -5 where id = ${id}`);
        expect(await anyMoney(), balance).to.equal(true);
        await observer.query(`update coupons set ${balance} = 0 where id = ${id}`);
      }
      for (const rate of ['fixed_per_order_minor', 'fixed_per_product_minor']) {
        await observer.query(`update coupons set ${rate} = 5 where id = ${id}`);
        expect(await anyMoney(), rate).to.equal(true);
        await observer.query(`update coupons set ${rate} = 0 where id = ${id}`);
      }
      await observer.query(`update coupons set discount_amount = 500 where id = ${id}`);
      expect(await anyMoney()).to.equal(false);
      await observer.query(`update coupons set discount_type = 'fixed_cart' where id = ${id}`);
      expect(await anyMoney()).to.equal(true);
    });

    it('returns amounts far beyond 32 bits exactly, and rejects one that is not exact in JavaScript', async () => {
      const id = await saved();
      await observer.query(`update coupons set unpaid_minor = ${Number.MAX_SAFE_INTEGER} where id = ${id}`);
      expect((await ofUser())[0]?.balances.unpaid).to.equal(Number.MAX_SAFE_INTEGER);
      await observer.query(`update coupons set unpaid_minor = 9007199254740993 where id = ${id}`);
      const outcome = await Promise.allSettled([ofUser()]);
      expect(String(outcome[0].status === 'rejected' && outcome[0].reason)).to.match(/too large to be exact/);
    });
  });
});
