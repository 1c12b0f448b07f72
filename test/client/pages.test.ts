import { type Page, pages } from 'affiliate-program-client';
import { expect } from 'chai';
import { newOrderId, orders } from '../support/program.ts';
import { allOf, type ClientStore, failureOf, onOneEngine, openClientStore } from './store.ts';

onOneEngine((engine) => {
  describe('pages()', () => {
    let store: ClientStore;
    before(async () => {
      store = await openClientStore(engine);
    });
    after(() => store.service.stop());

    const sell = (count: number): Promise<void> =>
      orders(
        store.service,
        Array.from({ length: count }, () => {
          const id = newOrderId();
          return { id, coupon: store.couponId, at: new Date(Date.UTC(2026, 9, 1) + id * 1000).toISOString() };
        }),
      );
    const webhooks = async (count: number): Promise<number[]> => {
      const made: number[] = [];
      for (let number = 0; number < count; number += 1) {
        const { id } = await store.admin.webhooks.create({ url: `http://127.0.0.1:9/${number}`, events: ['*'] });
        made.unshift(id);
      }
      return made;
    };

    it('walks a collection to its end, page by page with its totals, or item by item', async () => {
      await sell(7);
      const walked = await allOf(pages(store.admin.coupons.orders, store.couponId, { per_page: 3 }));
      expect(walked.map(({ items, total, totalPages }) => [items.length, total, totalPages])).to.deep.equal([
        [3, 7, 3],
        [3, 7, 3],
        [1, 7, 3],
      ]);
      const items = await allOf(pages(store.admin.coupons.orders, store.couponId).items());
      expect(items).to.deep.equal(walked.flatMap((page) => page.items));
      expect(await allOf(pages(store.admin.payouts.list).items()), 'an empty one').to.deep.equal([]);
    });

    it('gives every item once while new ones come in at its head', async () => {
      const before = await allOf(pages(store.admin.coupons.orders, store.couponId).items());
      const seen: number[] = [];
      for await (const { order_id } of pages(store.admin.coupons.orders, store.couponId, { per_page: 2 }).items()) {
        if (seen.length === 1 || seen.length === 5) await sell(3);
        seen.push(order_id);
      }
      expect(new Set(seen).size).to.equal(seen.length);
      expect(seen).to.include.members(before.map(({ order_id }) => order_id));
    });

    it('misses nothing that stays, when others are deleted meanwhile', async () => {
      const made = await webhooks(9);
      const gone = made.slice(0, 3);
      const seen: number[] = [];
      for await (const { id } of pages(store.admin.webhooks.list, { per_page: 2 }).items()) {
        seen.push(id);
        if (seen.length === 4) for (const each of gone) await store.admin.webhooks.delete(each);
      }
      expect(new Set(seen).size).to.equal(seen.length);
      expect(seen).to.include.members(made.slice(3));
    });

    it('begins where it is told to, and ends when the caller does', async () => {
      const stop = new AbortController();
      const walk = pages(store.admin.webhooks.list, { per_page: 2, page: 2 }, { signal: stop.signal })[Symbol.asyncIterator]();
      expect((await walk.next()).value)
        .to.have.property('items')
        .with.length(2);
      stop.abort(new Error('enough'));
      const ended = await failureOf(walk.next());
      expect(ended).to.include({ code: 'aborted' }).and.to.have.nested.property('cause.message', 'enough');
    });

    it('comes to an end where something in between takes the totals away', async () => {
      const without = async (query: { page?: number }): Promise<Page<{ id: number }>> => ({
        items: query.page === 3 ? [] : [{ id: query.page ?? 0 }],
        ...{ total: Number.NaN, totalPages: Number.NaN },
      });
      expect(await allOf(pages(without, {}).items())).to.deep.equal([{ id: 1 }, { id: 2 }]);
    });
  });
});
