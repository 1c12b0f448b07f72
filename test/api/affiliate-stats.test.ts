import { expect } from 'chai';
import { plainTerms } from '../../domain/coupons/coupon.ts';
import { createCoupon } from '../../domain/coupons/create.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { coupon, orders } from '../support/program.ts';
import { testService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('GET /affiliates/{id}/stats', () => {
    const { service, admin } = testService(engine, { settings: { 'store.currency': 'EUR' } });
    const ann = testFixture(() => service.user('ann', 'affiliate'));
    let first: number;
    let second: number;
    beforeEach(async () => {
      first = await coupon(service, 'FIRST', { userId: ann.id, createdAt: 1000 });
      second = await coupon(service, 'SECOND', { userId: ann.id, createdAt: 2000, status: 'private' });
      const foreign = await coupon(service, 'FOREIGN', { userId: (await service.user('ben', 'affiliate')).id });
      await orders(service, [
        { id: 1, coupon: first, at: '2026-10-05T12:00:00Z', total: 179.8, discount: 17.98, shipping: 4.9 },
        { id: 2, coupon: second, at: '2026-10-12T12:00:00Z', total: 240, discount: 24, shipping: 4.9, refunded: 54 },
        { id: 3, coupon: second, at: '2026-11-01T12:00:00Z', total: 99.9, discount: 9.99, shipping: 4.9, status: 'processing' },
        { id: 4, coupon: first, at: '2026-10-12T12:00:00Z', total: 1000, status: 'failed' },
        { id: 5, coupon: foreign, at: '2026-10-05T12:00:00Z', total: 1000 },
      ]);
    });

    const stats = async (query = '') => (await admin.get(`/affiliates/${ann.id}/stats${query}`)).body;
    const balances = { unpaid_commission: 32.38, pending_order_commission: 8.99, pending_payout_commission: 0, paid_commission: 0 };

    it('sums all coupons of the affiliate, and lists the figures of each, newest first', async () => {
      expect(await stats()).to.deep.equal({
        user_id: ann.id,
        from: null,
        to: null,
        source: 'cache',
        totals: { orders_count: 3, total_sales: 465.7, total_discount: 51.97, total_shipping: 14.7, total_commission: 41.37, ...balances },
        coupons: [
          { id: second, code: 'SECOND', orders_count: 2, total_sales: 285.9, total_discount: 33.99, total_commission: 25.19 },
          { id: first, code: 'FIRST', orders_count: 1, total_sales: 179.8, total_discount: 17.98, total_commission: 16.18 },
        ],
      });
    });

    it('sums a range of days, in steps if requested, with the current balances', async () => {
      const body = await stats('?from=2026-10-06&to=2026-11-30&interval=month');
      expect(body).to.deep.include({ from: '2026-10-06', to: '2026-11-30', source: 'live' });
      expect(body.totals).to.deep.equal({
        orders_count: 2,
        total_sales: 285.9,
        total_discount: 33.99,
        total_shipping: 9.8,
        total_commission: 25.19,
        ...balances,
      });
      expect(body.coupons[1]).to.deep.equal({
        id: first,
        code: 'FIRST',
        orders_count: 0,
        total_sales: 0,
        total_discount: 0,
        total_commission: 0,
      });
      const month = (from: string, to: string, figures: object) => ({ from, to, orders_count: 1, total_shipping: 4.9, ...figures });
      expect(body.series).to.deep.equal([
        month('2026-10-06', '2026-10-31', { total_sales: 186, total_discount: 24, total_commission: 16.2 }),
        month('2026-11-01', '2026-11-30', { total_sales: 99.9, total_discount: 9.99, total_commission: 8.99 }),
      ]);
      expect((await stats('?interval=week')).series).to.have.length(5);
    });

    it('serves a range from the cache until one of the coupons changes or another is assigned', async () => {
      const range = '?from=2026-10-01&to=2026-10-31';
      const look = async () => {
        const { source, totals, coupons } = await stats(range);
        return [source, totals.orders_count, coupons.length];
      };
      expect(await look()).to.deep.equal(['live', 2, 2]);
      expect(await look()).to.deep.equal(['cache', 2, 2]);
      await orders(service, [{ id: 6, coupon: first, at: '2026-10-07T12:00:00Z' }]);
      expect(await look()).to.deep.equal(['live', 3, 2]);
      expect(await look()).to.deep.equal(['cache', 3, 2]);
      await coupon(service, 'THIRD', { userId: ann.id });
      expect(await look()).to.deep.equal(['live', 3, 3]);
    });

    it('lists the newest 100 coupons, and sums a range over all of them', async () => {
      const newer = { userId: ann.id, status: 'publish', createdAt: 3000, ...plainTerms } as const;
      await service.storage.write(async (transaction) => {
        for (let number = 0; number < 100; number += 1)
          await createCoupon(transaction, { ...newer, code: `NEWER-${number}` }, { now: 3000, userId: 0 });
      });
      const { totals, coupons } = await stats('?from=2026-10-01&to=2026-10-31');
      expect(coupons.map(({ code }: { code: string }) => code.replace(/\d+/, ''))).to.deep.equal(Array(100).fill('NEWER-'));
      expect(totals).to.include({ orders_count: 2, total_sales: 365.8, total_commission: 32.38 });
    });

    it('refuses invalid ranges', async () => {
      for (const query of ['?from=2026-10-02&to=2026-10-01', '?from=2026-02-30', '?interval=hour'])
        expect((await stats(query)).code, query).to.equal('rest_invalid_param');
    });
  });
});
