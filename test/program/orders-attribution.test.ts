import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { expectConsistent } from './invariants.ts';
import { at, day, order } from './samples.ts';
import { Shop } from './shop.ts';

const placedAt = at('2026-10-20T12:00:00Z');

forEachEngine((engine) => {
  describe('the attribution of an order', () => {
    const shop = testFixture(() => Shop.open(engine));
    let trail: number;
    let summit: number;
    beforeEach(async () => {
      ({ couponId: trail } = await shop.affiliate('TRAIL10'));
      ({ couponId: summit } = await shop.affiliate('SUMMIT10'));
    });
    afterEach(() => expectConsistent(shop));

    const click = (couponId: number, clickedAt: number, campaign: string | null = null, visitor = 'ann') =>
      shop.database.write(({ clicks }) =>
        clicks.insert([
          { couponId, day: '2026-10-01', clickedAt, visitorHash: `hash of ${visitor}`, campaign, referrer: null, landingPage: null },
        ]),
      );
    const converted = async (): Promise<(number | null)[]> => {
      const rows = await shop.observer.query<{ converted_order_id: unknown }>('select converted_order_id from clicks order by id');
      return rows.map(({ converted_order_id: orderId }) => (orderId === null ? null : Number(orderId)));
    };
    const credit = async (orderId: number) => {
      const { couponId, creditedVia, campaign } = await shop.order(orderId);
      return [couponId, creditedVia, campaign];
    };
    const withLifetime = () => {
      shop.program = { ...shop.program, attribution: { windowDays: 30, lifetime: true } };
    };

    it('prefers the referral link to the used coupon, and takes the campaign of the link', async () => {
      await click(summit, placedAt - day, 'autumn');
      await shop.record(order({ orderId: 1, couponId: trail, placedAt, visitor: 'ann' }));
      expect(await credit(1)).to.deep.equal([summit, 'referral_link', 'autumn']);
      expect(await shop.order(1)).to.include({ usedCouponId: trail, visitorHash: 'hash of ann' });
      expect(await converted()).to.deep.equal([1]);
    });

    it('uses the latest click within the window, both ends included, and none after the order', async () => {
      await click(trail, placedAt - 30 * day, 'in time');
      await click(summit, placedAt - 30 * day - 1, 'too late');
      await click(summit, placedAt + 1, 'after');
      await shop.record(order({ orderId: 1, placedAt, visitor: 'ann' }));
      expect(await credit(1)).to.deep.equal([trail, 'referral_link', 'in time']);
      await click(summit, placedAt, 'same moment');
      await shop.record(order({ orderId: 2, placedAt, visitor: 'ann' }));
      expect(await credit(2)).to.deep.equal([summit, 'referral_link', 'same moment']);
      expect(await converted()).to.deep.equal([1, null, null, 2]);
    });

    it("uses only the visitor's own clicks", async () => {
      await click(summit, placedAt - day, null, 'bob');
      await shop.record(order({ orderId: 1, couponId: trail, placedAt, visitor: 'ann' }), order({ orderId: 2, placedAt }));
      expect(await credit(1)).to.deep.equal([trail, 'coupon', null]);
      expect(await converted()).to.deep.equal([null]);
    });

    it('ignores links of coupons that are not published', async () => {
      const left = await shop.coupon('LEFT', { status: 'draft' });
      await click(summit, placedAt - 2 * day);
      await click(left, placedAt - day);
      await shop.record(order({ orderId: 1, placedAt, visitor: 'ann' }));
      expect(await credit(1)).to.deep.equal([summit, 'referral_link', null]);
    });

    it('does not change after the first recording', async () => {
      await shop.record(order({ orderId: 1, couponId: trail, placedAt }));
      await click(summit, placedAt - day);
      await shop.record(order({ orderId: 1, couponId: trail, placedAt, visitor: 'ann', total: 20_000 }));
      expect(await credit(1)).to.deep.equal([trail, 'coupon', null]);
    });

    it("uses the store's own campaign, also in a later change", async () => {
      await click(summit, placedAt - day, 'autumn');
      await shop.record(order({ orderId: 1, placedAt, visitor: 'ann', campaign: 'newsletter' }));
      expect(await credit(1)).to.deep.equal([summit, 'referral_link', 'newsletter']);
      const [outcome] = await shop.record(order({ orderId: 1, placedAt, visitor: 'ann', campaign: 'poster' }));
      expect([outcome?.outcome, ...(await credit(1))]).to.deep.equal(['changed', summit, 'referral_link', 'poster']);
    });

    it('credits the first referrer of a visitor when links last a lifetime, and still counts the click as a conversion', async () => {
      withLifetime();
      await shop.record(order({ orderId: 1, couponId: trail, placedAt, visitor: 'ann' }));
      await click(summit, placedAt + day);
      await shop.record(order({ orderId: 2, couponId: summit, placedAt: placedAt + 2 * day, visitor: 'ann' }));
      expect(await credit(2)).to.deep.equal([trail, 'lifetime', null]);
      expect(await converted()).to.deep.equal([2]);
    });

    it('is the same in one batch as in several', async () => {
      withLifetime();
      await shop.record(
        order({ orderId: 1, placedAt, visitor: 'ann' }),
        order({ orderId: 1, couponId: summit, placedAt, visitor: 'ann' }),
        order({ orderId: 2, couponId: trail, placedAt, visitor: 'ann' }),
        order({ orderId: 3, couponId: trail, placedAt, visitor: 'bob' }),
      );
      expect([await credit(1), await credit(2), await credit(3)]).to.deep.equal([
        [summit, 'coupon', null],
        [summit, 'lifetime', null],
        [trail, 'coupon', null],
      ]);
    });

    it('creates and follows no lifetime links when they are switched off', async () => {
      await shop.record(order({ orderId: 1, couponId: trail, placedAt, visitor: 'ann' }));
      expect(await shop.observer.query('select * from lifetime_links')).to.deep.equal([]);
      withLifetime();
      await shop.record(order({ orderId: 2, couponId: trail, placedAt, visitor: 'ann' }));
      shop.program = { ...shop.program, attribution: { windowDays: 30, lifetime: false } };
      await shop.record(order({ orderId: 3, couponId: summit, placedAt, visitor: 'ann' }));
      expect(await credit(3)).to.deep.equal([summit, 'coupon', null]);
    });
  });
});
