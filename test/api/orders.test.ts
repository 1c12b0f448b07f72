import { expect } from 'chai';
import { orderStatuses } from '../../domain/orders/order.ts';
import type { OrderFilter } from '../../domain/orders/order-pages.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon, type OrderSample, orders } from '../support/program.ts';
import { seededRandom } from '../support/random.ts';
import { suiteService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('GET /coupons/{id}/orders', () => {
    const { service, admin } = suiteService(engine, { settings: { 'store.currency': 'EUR', 'store.timezone': 'Europe/Berlin' } });
    let story: number;
    before(async () => {
      story = await coupon(service, 'TRAIL10');
      await orders(service, [
        { id: 58340, coupon: story, at: '2026-10-12T18:03:55Z', total: 240, discount: 24, refunded: 54, visitor: 'a visitor' },
        { id: 58412, coupon: story, at: '2026-10-21T07:12:00Z', status: 'processing', total: 99.9, discount: 9.99 },
        { id: 58213, coupon: story, at: '2026-10-05T12:31:07Z', total: 179.8, discount: 17.98, campaign: 'autumn', tax: 30, shipping: 4.9 },
      ]);
    });

    const list = (id: number, query = '') => admin.get(`/coupons/${id}/orders${query}`);
    const ids = async (id: number, query = ''): Promise<number[]> =>
      (await list(id, query)).body.map(({ order_id }: { order_id: number }) => order_id);
    const total = async (id: number, query: string) => Number((await list(id, query)).headers.get('X-Svc-Total'));

    it('returns each order with its commission, newest first, and nothing about the customer', async () => {
      const { body, headers } = await list(story);
      const common = { currency: 'EUR', credited_via: 'coupon', refunded_amount: 0, campaign: null };
      const granted = (date: string) => ({ date, status: 'completed', commission_status: 'granted', date_granted: date });
      const pending = { date: '2026-10-21T09:12:00', status: 'processing', commission_status: 'pending', date_granted: null };
      const first = { total: 179.8, discount: 17.98, commission: 16.18, campaign: 'autumn' };
      const refunded = { total: 240, discount: 24, commission: 16.2, refunded_amount: 54 };
      expect(body).to.deep.equal([
        { ...common, ...pending, order_id: 58412, total: 99.9, discount: 9.99, commission: 8.99 },
        { ...common, ...granted('2026-10-12T20:03:55'), order_id: 58340, ...refunded },
        { ...common, ...granted('2026-10-05T14:31:07'), order_id: 58213, ...first },
      ]);
      expect([headers.get('X-Svc-Total'), headers.get('X-Svc-TotalPages')]).to.deep.equal(['3', '1']);
    });

    it('filters by status, by commission status, by days, and by all of them together', async () => {
      expect(await ids(story, '?status=completed')).to.deep.equal([58340, 58213]);
      expect(await ids(story, '?status=refunded')).to.deep.equal([]);
      expect(await ids(story, '?commission_status=pending')).to.deep.equal([58412]);
      expect(await ids(story, '?commission_status=granted')).to.deep.equal([58340, 58213]);
      expect(await ids(story, '?from=2026-10-06&to=2026-10-21')).to.deep.equal([58412, 58340]);
      expect(await ids(story, '?from=2026-10-12')).to.deep.equal([58412, 58340]);
      expect(await ids(story, '?to=2026-10-05')).to.deep.equal([58213]);
      expect(await ids(story, '?to=2026-10-12&status=completed&commission_status=granted&from=2026-10-12')).to.deep.equal([58340]);
      for (const query of ['?status=completed', '?commission_status=granted', '?status=completed&commission_status=granted'])
        expect(await total(story, query), query).to.equal(2);
      expect(await total(story, '?from=2026-10-06&to=2026-10-21')).to.equal(2);
    });

    it('refuses invalid filters', async () => {
      for (const [query, parameter] of [
        ['?status=shipped', 'status'],
        ['?commission_status=paid', 'commission_status'],
        ['?from=2026-10-02&to=2026-10-01', 'from'],
        ['?from=', 'from'],
        ['?per_page=101', 'per_page'],
        ['?page=0', 'page'],
      ] as const) {
        const { status, body } = await list(story, query);
        expect([status, body.code], query).to.deep.equal([400, 'rest_invalid_param']);
        expect(body.data.params).to.have.all.keys(parameter);
      }
    });

    it('returns an empty page past the end without a query for orders', async () => {
      for (const query of ['?page=2', '?page=2147483647', '?page=2&per_page=100&status=completed', '?page=3&commission_status=pending'])
        expect((await list(story, query)).body, query).to.deep.equal([]);
      expect(await total(story, '?page=2147483647')).to.equal(3);
      const statements: string[] = [];
      const database = await engine.open({ url: service.databaseUrl, onStatement: (sql) => statements.push(sql) });
      const pageAt = (page: number, filter: OrderFilter) =>
        database.read(({ orderPages }) => orderPages.page(story, filter, { page, perPage: 20 }));
      const range = { from: null, to: null };
      for (const filter of [{ range }, { range, status: 'completed' }] as const) expect((await pageAt(2, filter)).items).to.deep.equal([]);
      expect(statements.filter((sql) => /from orders/.test(sql))).to.deep.equal([]);
    });

    it('omits no order and repeats none, however far the page, whatever the filter', async () => {
      const random = seededRandom(4);
      const id = await coupon(service, 'MANY');
      const days = Array.from({ length: 40 }, () => Date.parse('2026-06-01T00:00:00Z') + random.below(150) * 86_400_000);
      const samples = Array.from({ length: 900 }, (_, at): OrderSample => {
        // Many at the same moment, so that only the number tells them apart.
        const moment = random.pick(days) + random.below(24) * 3_600_000;
        return {
          id: 100_000 + at,
          coupon: id,
          at: new Date(moment).toISOString(),
          status: random.pick(orderStatuses),
          total: random.below(100),
        };
      });
      await orders(service, samples);
      const byNewest = (one: OrderSample, other: OrderSample) => Date.parse(other.at) - Date.parse(one.at) || other.id - one.id;
      const newest = samples.toSorted(byNewest);
      // Some move to the day before and another status, so that a day may lose all it had.
      const dayBefore = (at: string): string => new Date(Date.parse(at) - 86_400_000).toISOString();
      const moved = newest.slice(100, 160).map((sample) => ({ ...sample, at: dayBefore(sample.at), status: 'completed' as const }));
      await orders(service, moved);
      const now = [...newest.slice(0, 100), ...newest.slice(160), ...moved].toSorted(byNewest);

      const inBerlin = (at: string) => new Date(Date.parse(at) + 7_200_000).toISOString().slice(0, 10);
      const filters: [query: string, matches: (sample: OrderSample) => boolean][] = [
        ['', () => true],
        ['&status=completed', ({ status }) => status === 'completed'],
        ['&from=2026-07-01&to=2026-09-30', ({ at }) => inBerlin(at) >= '2026-07-01' && inBerlin(at) <= '2026-09-30'],
        ['&to=2026-08-15&status=failed', ({ at, status }) => inBerlin(at) <= '2026-08-15' && status === 'failed'],
        ['&commission_status=reversed', ({ status }) => ['failed', 'cancelled', 'refunded'].includes(status ?? '')],
      ];
      for (const [query, matches] of filters) {
        const expected = now.filter(matches).map((sample) => sample.id);
        const read: number[] = [];
        for (let page = 1; page <= Math.ceil(expected.length / 37); page += 1)
          read.push(...(await ids(id, `?per_page=37&page=${page}${query}`)));
        expect(read, query).to.deep.equal(expected);
        expect(await total(id, `?${query}`), query).to.equal(expected.length);
      }
    });

    it('skips the orders of one day at most to reach a far page', async () => {
      const id = await coupon(service, 'FAR');
      const placed = (at: number) => new Date(Date.parse('2026-01-01T12:00:00Z') + Math.floor(at / 5) * 86_400_000).toISOString();
      await orders(
        service,
        Array.from({ length: 600 }, (_, at) => ({ id: 200_000 + at, coupon: id, at: placed(at) })),
      );
      const statements: string[] = [];
      const database = await engine.open({ url: service.databaseUrl, onStatement: (sql) => statements.push(sql) });
      const page = { page: 59, perPage: 10 };
      const { items } = await database.read(({ orderPages }) => orderPages.page(id, { range: { from: null, to: null } }, page));
      expect(items.map(({ orderId }) => orderId)).to.deep.equal(Array.from({ length: 10 }, (_, at) => 200_019 - at));
      const offsets = statements.flatMap((sql) => /offset (\d+)/.exec(sql)?.[1] ?? []);
      expect(offsets).to.deep.equal(['0']);
    });

    it('shows a change of an order, and the new total, from the next request on', async () => {
      const id = await coupon(service, 'CHANGING');
      await orders(service, [{ id: 900_001, coupon: id, at: '2026-10-05T12:00:00Z', total: 50 }]);
      expect(await total(id, '?status=completed')).to.equal(1);
      await orders(service, [{ id: 900_001, coupon: id, at: '2026-10-05T12:00:00Z', total: 50, status: 'cancelled' }]);
      const { body } = await list(id, '?status=cancelled');
      expect(body[0]).to.include({ order_id: 900_001, commission_status: 'reversed', status: 'cancelled' });
      expect(await total(id, '?status=completed')).to.equal(0);
    });
  });
});
