import { expect } from 'chai';
import { systemCaller } from '../../cli/operator.ts';
import { explainOrder } from '../../domain/explanation/explain.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { expectConsistent } from './invariants.ts';
import { at, day, order } from './samples.ts';
import { Shop } from './shop.ts';

const placedAt = at('2026-10-20T12:00:00Z');

onAnyEngine((engine) => {
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

    it('uses no click where the window is 0 days, not even one of the same moment', async () => {
      shop.program = { ...shop.program, attribution: { windowDays: 0, lifetime: false } };
      await click(trail, placedAt);
      await shop.record(order({ orderId: 1, couponId: summit, visitor: 'ann', placedAt }));
      expect(await credit(1)).to.deep.equal([summit, 'coupon', null]);
      expect(await converted()).to.deep.equal([null]);
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

    it('follows a lifetime link for orders placed at or after it, in whatever order they arrive, and explains it so', async () => {
      withLifetime();
      await shop.record(order({ orderId: 1, couponId: trail, placedAt, visitor: 'ann' }));
      const late = [placedAt - 1, placedAt].map((at, index) =>
        order({ orderId: index + 2, couponId: summit, placedAt: at, visitor: 'ann' }),
      );
      await shop.record(...late);
      expect([await credit(2), await credit(3)]).to.deep.equal([
        [summit, 'coupon', null],
        [trail, 'lifetime', null],
      ]);
      const vias = async (couponId: number, orderId: number) => {
        const reader = { caller: systemCaller, couponId, levels: { upline: false } };
        const explained = await shop.database.read((db) => explainOrder(db, reader, orderId, shop.program));
        return explained.attribution.candidates.map(({ via, won }) => `${via}${won ? ' won' : ''}`);
      };
      // The first order made the link, which says nothing about that order.
      expect(await vias(trail, 1)).to.deep.equal(['coupon won']);
      expect(await vias(summit, 2)).to.deep.equal(['coupon won']);
      expect(await vias(trail, 3)).to.deep.equal(['lifetime won', 'coupon']);
    });

    it('makes no lifetime link of an order that is failed or cancelled when it is first recorded', async () => {
      withLifetime();
      for (const [orderId, status] of [
        [1, 'failed'],
        [2, 'cancelled'],
      ] as const)
        await shop.record(order({ orderId, couponId: trail, placedAt, visitor: 'ann', status }));
      await shop.record(order({ orderId: 3, couponId: summit, placedAt: placedAt + day, visitor: 'ann' }));
      expect(await credit(3)).to.deep.equal([summit, 'coupon', null]);
    });

    it('counts no failed or cancelled order as a payment of its subscription, nor the months from it', async () => {
      shop.program = { ...shop.program, recurring: { percentThousandths: 5000, maxPayments: 2, maxMonths: 12 } };
      const payment = (orderId: number, months: number, status: OrderStatus = 'completed') =>
        order({ orderId, couponId: trail, placedAt: placedAt + months * 30 * day, subscription: 'sub', status });
      await shop.record(payment(1, 0, 'failed'));
      await shop.record(payment(2, 6), payment(3, 12, 'cancelled'), payment(4, 17), payment(5, 18));
      // A payment that failed and is repeated under its number earns no more than it would have.
      await shop.record(payment(6, 19, 'failed'));
      await shop.record(payment(6, 19));
      const numbers = await shop.observer.query<Record<string, unknown>>('select order_id, number from subscription_payments order by 1');
      expect(numbers.map(Object.values).map((row) => row.map(Number))).to.deep.equal([
        [2, 1],
        [4, 2],
        [5, 3],
      ]);
      const commissions = await Promise.all([1, 2, 3, 4, 5, 6].map(async (id) => (await shop.order(id)).commission));
      expect(commissions).to.deep.equal([0, 1000, 0, 500, 0, 0]);
    });

    it('credits a subscription to the coupon of its first order although that failed at first', async () => {
      const payment = (orderId: number, months: number, more: object) =>
        order({ orderId, placedAt: placedAt + months * 30 * day, subscription: 'sub', ...more });
      for (const status of ['failed', 'completed'] as const) await shop.record(payment(1, 0, { couponId: trail, status }));
      const [renewal] = await shop.record(payment(2, 1, {}));
      expect(renewal).to.include({ outcome: 'recorded', couponId: trail, begins: 'sub' });
      await shop.record(payment(3, 2, { status: 'cancelled' }), payment(4, 3, {}));
      for (const orderId of [2, 3, 4]) expect(await credit(orderId)).to.deep.equal([trail, 'coupon', null]);
      const numbers = await shop.observer.query<Record<string, unknown>>('select order_id, number from subscription_payments order by 1');
      expect(numbers.map(Object.values).map((row) => row.map(Number))).to.deep.equal([
        [2, 1],
        [4, 2],
      ]);
      const [link] = await shop.observer.query<Record<string, unknown>>('select payments, first_paid_at from credit_links');
      expect(Object.values(link ?? {}).map(Number)).to.deep.equal([2, placedAt + 30 * day]);
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
