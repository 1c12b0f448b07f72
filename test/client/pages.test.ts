import { type Page, pages } from 'affiliate-program-client';
import { expect } from 'chai';
import { newOrderId, orders } from '../support/program.ts';
import { type ClientFixture, collect, onSqlite, rejectionOf, startClientFixture } from './fixture.ts';

onSqlite((engine) => {
  describe('pages()', () => {
    let fixture: ClientFixture;
    before(async () => {
      fixture = await startClientFixture(engine);
    });
    after(() => fixture.service.stop());

    const sell = (count: number): Promise<void> =>
      orders(
        fixture.service,
        Array.from({ length: count }, () => {
          const id = newOrderId();
          return { id, coupon: fixture.couponId, at: new Date(Date.UTC(2026, 9, 1) + id * 1000).toISOString() };
        }),
      );
    const createWebhooks = async (count: number): Promise<number[]> => {
      const ids: number[] = [];
      for (let number = 0; number < count; number += 1) {
        const { id } = await fixture.admin.webhooks.create({ url: `http://127.0.0.1:9/${number}`, events: ['*'] });
        ids.unshift(id);
      }
      return ids;
    };

    it('iterates over a collection by page, with the totals, or by item', async () => {
      await sell(7);
      const walked = await collect(pages(fixture.admin.coupons.orders, fixture.couponId, { per_page: 3 }));
      expect(walked.map(({ items, total, totalPages }) => [items.length, total, totalPages])).to.deep.equal([
        [3, 7, 3],
        [3, 7, 3],
        [1, 7, 3],
      ]);
      const items = await collect(pages(fixture.admin.coupons.orders, fixture.couponId).items());
      expect(items).to.deep.equal(walked.flatMap((page) => page.items));
      expect(await collect(pages(fixture.admin.payouts.list).items()), 'an empty collection').to.deep.equal([]);
    });

    it('returns every item once while new ones are added at the start', async () => {
      const before = await collect(pages(fixture.admin.coupons.orders, fixture.couponId).items());
      const seen: number[] = [];
      for await (const { order_id } of pages(fixture.admin.coupons.orders, fixture.couponId, { per_page: 2 }).items()) {
        if (seen.length === 1 || seen.length === 5) await sell(3);
        seen.push(order_id);
      }
      expect(new Set(seen).size).to.equal(seen.length);
      expect(seen).to.include.members(before.map(({ order_id }) => order_id));
    });

    it('skips no remaining item while others are deleted', async () => {
      const created = await createWebhooks(9);
      const gone = created.slice(0, 3);
      const seen: number[] = [];
      for await (const { id } of pages(fixture.admin.webhooks.list, { per_page: 2 }).items()) {
        seen.push(id);
        if (seen.length === 4) for (const each of gone) await fixture.admin.webhooks.delete(each);
      }
      expect(new Set(seen).size).to.equal(seen.length);
      expect(seen).to.include.members(created.slice(3));
    });

    it('starts at the requested page, and throws aborted with the signal', async () => {
      const stop = new AbortController();
      const walk = pages(fixture.admin.webhooks.list, { per_page: 2, page: 2 }, { signal: stop.signal })[Symbol.asyncIterator]();
      expect((await walk.next()).value)
        .to.have.property('items')
        .with.length(2);
      stop.abort(new Error('enough'));
      const ended = await rejectionOf(walk.next());
      expect(ended).to.include({ code: 'aborted' }).and.to.have.nested.property('cause.message', 'enough');
    });

    it('returns every record of a collection whose records have another key than an id, or none, also below an id that is a text', async () => {
      const { admin, affiliate, couponId, service } = fixture;
      for (const addOn of ['management', 'store']) await service.settings.set(`addons.${addOn}`, true);
      await service.settings.set('service.url', 'https://affiliates.shop.example');
      const settings = await collect(pages(admin.settings.list).items());
      const described = await service.settings.describe();
      expect(settings.map(({ path }) => path)).to.deep.equal(described.map(({ path }) => path));

      await sell(1);
      const { id } = await affiliate.payouts.create({ coupon_id: couponId });
      for (const status of ['created', 'pending', 'created', 'pending'] as const) await admin.payouts.setStatus(id, { status });
      const history = await collect(pages(admin.payouts.history, id, { per_page: 2 }).items());
      expect(history.map(({ status }) => status)).to.have.members(['pending', 'created', 'pending', 'created', 'pending']);

      const connection = await admin.store.createConnection({ platform: 'woocommerce' });
      expect(await collect(pages(admin.store.deliveries, connection.id).items())).to.deep.equal([]);
      const deliveries = pages(async () => ({ items: [{ order_id: 1 }, { order_id: 1 }], total: 2, totalPages: 1 })).items();
      expect(await collect(deliveries), 'two deliveries of one order').to.have.length(2);
    });

    it('ends at the first empty page if a proxy removes the total headers', async () => {
      const listWithoutTotals = async (query: { page?: number }): Promise<Page<{ id: number }>> => ({
        items: query.page === 3 ? [] : [{ id: query.page ?? 0 }],
        total: Number.NaN,
        totalPages: Number.NaN,
      });
      expect(await collect(pages(listWithoutTotals, {}).items())).to.deep.equal([{ id: 1 }, { id: 2 }]);
    });
  });
});
