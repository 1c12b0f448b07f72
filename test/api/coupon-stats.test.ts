import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { coupon, exampleFigures, exampleOrders, newOrderId, orders } from '../support/program.ts';
import { startService, suiteService } from '../support/service.ts';

const nothing = { orders_count: 0, total_sales: 0, total_discount: 0, total_shipping: 0, total_commission: 0 };

onAnyEngine((engine) => {
  describe('GET /coupons/{id}/stats', () => {
    const { service, admin } = suiteService(engine, { settings: { 'store.currency': 'EUR', 'store.timezone': 'Europe/Berlin' } });

    const stats = async (id: number, query = '') => (await admin.get(`/coupons/${id}/stats${query}`)).body;

    it('sums the orders that count to the cent, and counts the others by status', async () => {
      const id = await coupon(service, 'TRAIL1');
      await orders(service, exampleOrders(id));
      expect(await stats(id)).to.deep.equal({
        coupon_id: id,
        code: 'TRAIL1',
        from: null,
        to: null,
        source: 'cache',
        code_ambiguous: false,
        ...exampleFigures,
        status_counts: { completed: 2, processing: 1, cancelled: 1, failed: 1, pending: 1, refunded: 1 },
        last_refreshed: null,
        retry_after: null,
        unpaid_commission: 32.38,
        // An order that is not paid yet may still become one.
        pending_order_commission: 108.99,
        pending_payout_commission: 0,
        paid_commission: 0,
      });
    });

    it('is all zeros, with no status at all, for a coupon without orders', async () => {
      const id = await coupon(service, 'NEW');
      expect(await stats(id)).to.deep.include({ ...nothing, status_counts: {}, source: 'cache', last_refreshed: null });
      expect(await stats(id, '?interval=day')).to.deep.include({ ...nothing, series: [] });
    });

    it('includes both ends of a range, ends today when only from is sent, and returns the current balances', async () => {
      const id = await coupon(service, 'TRAIL2');
      await orders(service, exampleOrders(id));
      const range = await stats(id, '?from=2026-10-05&to=2026-10-12');
      expect(range).to.deep.include({ from: '2026-10-05', to: '2026-10-12', source: 'live', orders_count: 2, total_sales: 365.8 });
      expect(range).to.deep.include({ total_commission: 32.38, status_counts: { completed: 2 }, pending_order_commission: 108.99 });
      expect(await stats(id, '?from=2026-10-06&to=2026-10-11')).to.deep.include({
        ...nothing,
        status_counts: {},
        unpaid_commission: 32.38,
      });
      expect(await stats(id, '?from=2026-10-12')).to.include({ from: '2026-10-12', to: '2026-11-02', orders_count: 2 });
      expect(await stats(id, '?to=2026-10-12')).to.include({ from: null, to: '2026-10-12', orders_count: 2 });
      expect(await stats(id, '?from=2026-01-01&to=2026-12-31')).to.deep.include(exampleFigures);
    });

    it('refuses invalid ranges, naming the parameter', async () => {
      const id = await coupon(service, 'TRAIL3');
      const cases: [query: string, parameter: string][] = [
        ['?from=2026-10-02&to=2026-10-01', 'from'],
        ['?from=2026-02-30', 'from'],
        ['?to=2026-13-01', 'to'],
        ['?to=01.10.2026', 'to'],
        ['?from=2026-10-1', 'from'],
        ['?interval=year', 'interval'],
        ['?refresh=maybe', 'refresh'],
        ['?from=0001-01-01&to=9999-12-31&interval=day', 'interval'],
      ];
      for (const [query, parameter] of cases) {
        const { status, body } = await admin.get(`/coupons/${id}/stats${query}`);
        expect([status, body.code], query).to.deep.equal([400, 'rest_invalid_param']);
        expect(body.data.params, query).to.have.all.keys(parameter);
      }
      expect(await stats(id, '?from=0001-01-01&to=9999-12-31')).to.deep.include(nothing);
    });

    it("puts an order on the day of the store's calendar, also on days of 23 and 25 hours", async () => {
      const id = await coupon(service, 'TRAIL4');
      const moments = [
        '2026-10-24T21:59:59Z',
        '2026-10-24T22:00:00Z',
        '2026-10-25T22:59:59Z',
        '2026-10-25T23:00:00Z',
        '2026-03-28T22:59:59Z',
        '2026-03-28T23:00:00Z',
        '2026-03-29T21:59:59Z',
        '2026-03-29T22:00:00Z',
      ];
      await orders(
        service,
        moments.map((at, index) => ({ id: newOrderId(), coupon: id, at, total: 10 ** (index % 4) })),
      );
      const salesOn = async (day: string) => (await stats(id, `?from=${day}&to=${day}`)).total_sales;
      expect([await salesOn('2026-10-24'), await salesOn('2026-10-25'), await salesOn('2026-10-26')]).to.deep.equal([1, 110, 1000]);
      expect([await salesOn('2026-03-28'), await salesOn('2026-03-29'), await salesOn('2026-03-30')]).to.deep.equal([1, 110, 1000]);
      const { series } = await stats(id, '?from=2026-10-24&to=2026-10-26&interval=day');
      expect(series.map(({ from, total_sales }: { from: string; total_sales: number }) => [from, total_sales])).to.deep.equal([
        ['2026-10-24', 1],
        ['2026-10-25', 110],
        ['2026-10-26', 1000],
      ]);
    });

    it('reports that another published coupon has the same code, and does not mix the figures of the two', async () => {
      const id = await coupon(service, 'Straße10');
      await orders(service, [{ id: newOrderId(), coupon: id, at: '2026-10-05T12:00:00Z', total: 30 }]);
      expect((await stats(id)).code_ambiguous).to.equal(false);
      await coupon(service, 'STRASSE10');
      await coupon(service, 'straße10', { status: 'draft' });
      expect((await stats(id)).code_ambiguous).to.equal(false);
      const twin = await coupon(service, 'STRAßE10');
      await orders(service, [{ id: newOrderId(), coupon: twin, at: '2026-10-05T12:00:00Z', total: 70 }]);
      expect(await stats(id)).to.include({ code_ambiguous: true, total_sales: 30 });
      expect(await stats(twin)).to.include({ code_ambiguous: true, total_sales: 70 });
    });
  });

  describe('money in GET /coupons/{id}/stats', () => {
    for (const [currency, { total, discount, shipping }, total_commission] of [
      ['JPY', { total: 1980, discount: 198, shipping: 550 }, 178],
      ['KWD', { total: 12.345, discount: 1.234, shipping: 0.5 }, 1.111],
    ] as const)
      it(`has the decimals of ${currency}`, async () => {
        const service = await startService(engine, { settings: { 'store.currency': currency } });
        const id = await coupon(service, 'TRAIL');
        await orders(service, [{ id: 1, coupon: id, at: '2026-10-05T12:00:00Z', total, discount, shipping }]);
        const { body } = await (await service.admin()).get(`/coupons/${id}/stats`);
        expect(body).to.include({ total_sales: total, total_discount: discount, total_shipping: shipping });
        expect(body).to.include({ total_commission, unpaid_commission: total_commission });
      });
  });
});
