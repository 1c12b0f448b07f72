import { expect } from 'chai';
import { clicks } from '../support/clicks.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon, exampleFigures, exampleOrders, newOrderId, orders } from '../support/program.ts';
import { startService, suiteService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('GET /coupons/{id}/stats with a range', () => {
    const { service, admin, clock } = suiteService(engine, { settings: { 'store.currency': 'EUR', 'store.timezone': 'Europe/Berlin' } });

    const stats = async (id: number, query = '') => (await admin.get(`/coupons/${id}/stats${query}`)).body;

    it('returns a series in steps without gaps, cut off at the ends of the range, that sums to the totals', async () => {
      const id = await coupon(service, 'TRAIL6');
      await orders(service, exampleOrders(id));
      const { series } = await stats(id, '?from=2026-10-07&to=2026-10-22&interval=week');
      expect(
        series.map(({ from, to, orders_count, total_sales }: Record<string, unknown>) => [from, to, orders_count, total_sales]),
      ).to.deep.equal([
        ['2026-10-07', '2026-10-11', 0, 0],
        ['2026-10-12', '2026-10-18', 1, 186],
        ['2026-10-19', '2026-10-22', 1, 99.9],
      ]);
      const whole = await stats(id, '?from=2026-10-01&to=2026-10-31&interval=month');
      expect(whole.series).to.deep.equal([{ from: '2026-10-01', to: '2026-10-31', ...exampleFigures }]);
      expect(whole).to.deep.include(exampleFigures);
    });

    it('spans the series from the first day with orders to today where the range is open', async () => {
      const id = await coupon(service, 'TRAIL7');
      await orders(service, exampleOrders(id));
      const ends = async (query: string) => {
        const { series, source } = await stats(id, query);
        return [series[0].from, series.at(-1).to, series.length, source];
      };
      expect(await ends('?interval=day')).to.deep.equal(['2026-10-05', '2026-11-02', 29, 'cache']);
      expect(await ends('?interval=month')).to.deep.equal(['2026-10-05', '2026-11-02', 2, 'cache']);
      expect(await ends('?to=2026-10-31&interval=week')).to.deep.equal(['2026-10-05', '2026-10-31', 4, 'live']);
      expect(await stats(id)).not.to.have.property('series');
    });

    it('ends each all-time series today, as time goes on, or on the last day with figures if that is later', async () => {
      const { id: userId } = await service.user('open', 'affiliate');
      const id = await coupon(service, 'OPEN', { userId });
      const other = await coupon(service, 'OPENTOO', { userId });
      const happen = async (day: string): Promise<void> => {
        await orders(service, [{ id: newOrderId(), coupon: id, at: `${day}T12:00:00Z` }]);
        await clicks(
          service,
          [id, other].map((each) => ({ coupon: each, at: `${day}T12:00:00Z`, visitor: 'v' })),
        );
      };
      const ends = async (): Promise<unknown[]> => {
        const paths = [
          `/coupons/${id}/stats`,
          `/affiliates/${userId}/stats`,
          '/clicks/stats',
          `/affiliates/${userId}/clicks`,
          '/reports/summary',
        ];
        const answers = await Promise.all(paths.map((path) => admin.get(`${path}?interval=day`)));
        return [...new Set(answers.map(({ body }) => body.series.at(-1).to))];
      };
      await service.withSetting('addons.management', true, () =>
        service.withSetting('addons.insights', true, async () => {
          await happen('2026-10-05');
          expect(await ends()).to.deep.equal(['2026-11-02']);
          clock.advance(86_400);
          expect(await ends()).to.deep.equal(['2026-11-03']);
          await happen('2026-11-20');
          expect(await ends()).to.deep.equal(['2026-11-20']);
        }),
      );
    });

    it('serves a range from the cache until an order of this coupon is written, and never after that', async () => {
      const id = await coupon(service, 'TRAIL8');
      const other = await coupon(service, 'OTHER');
      await orders(service, exampleOrders(id));
      const range = '?from=2026-10-01&to=2026-10-31';
      const look = async (query = range) => {
        const { source, orders_count } = await stats(id, query);
        return [source, orders_count];
      };
      expect(await look()).to.deep.equal(['live', 3]);
      expect(await look()).to.deep.equal(['cache', 3]);
      expect(await look('?from=2026-10-01&to=2026-10-30')).to.deep.equal(['live', 3]);
      expect(await look(`${range}&interval=day`)).to.deep.equal(['live', 3]);
      await orders(service, [{ id: newOrderId(), coupon: other, at: '2026-10-05T12:31:07Z' }]);
      expect(await look()).to.deep.equal(['cache', 3]);
      const late = newOrderId();
      await orders(service, [{ id: late, coupon: id, at: '2026-10-05T12:31:07Z' }]);
      expect(await look()).to.deep.equal(['live', 4]);
      await orders(service, [{ id: late, coupon: id, at: '2026-10-05T12:31:07Z', status: 'cancelled' }]);
      expect(await look()).to.deep.equal(['live', 3]);
      expect(await look()).to.deep.equal(['cache', 3]);
    });

    it('sees at once what another process has written to the same database', async () => {
      const id = await coupon(service, 'TRAIL9');
      const other = await startService(engine, { databaseUrl: service.databaseUrl });
      const range = '?from=2026-10-01&to=2026-10-31&interval=month';
      for (let written = 0; written < 3; written += 1) {
        expect(await stats(id, range)).to.include({ source: 'live', orders_count: written });
        expect(await stats(id, range)).to.include({ source: 'cache', orders_count: written });
        await orders(other, [{ id: newOrderId(), coupon: id, at: '2026-10-05T12:31:07Z' }]);
      }
      expect(await stats(id)).to.include({ orders_count: 3 });
    });
  });
});
