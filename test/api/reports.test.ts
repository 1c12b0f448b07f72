import { expect } from 'chai';
import { setParent } from '../../domain/users/create.ts';
import type { User } from '../../domain/users/user.ts';
import { submit } from '../support/applications.ts';
import { clicks } from '../support/clicks.ts';
import { forEachEngine } from '../support/engines.ts';
import { coupon, orders } from '../support/program.ts';
import { suiteService, testService } from '../support/service.ts';

forEachEngine((engine) => {
  describe('the report', () => {
    const { service, admin } = suiteService(engine, { settings: { 'store.timezone': 'Europe/Berlin', 'store.currency': 'EUR' } });
    const people: Record<string, User> = {};

    // Ten per cent of the goods less the discount: 16.18, 10, 26.18, 5, 3, nothing, 2.
    before(async () => {
      for (const name of ['ann', 'bob', 'cyd', 'dee']) people[name] = await service.user(name, 'affiliate');
      const of = (name: string) => ({ userId: people[name]?.id ?? 0 });
      const trail10 = await coupon(service, 'TRAIL10', of('ann'));
      const trail20 = await coupon(service, 'TRAIL20', of('ann'));
      const bob = await coupon(service, 'BOB', of('bob'));
      const draft = await coupon(service, 'CYD', { ...of('cyd'), status: 'draft' });
      const free = await coupon(service, 'FREE');
      await coupon(service, 'DEE', of('dee'));
      await clicks(service, [
        { coupon: trail10, at: '2026-10-02T10:00:00Z', visitor: 'one' },
        { coupon: trail10, at: '2026-10-02T11:00:00Z', visitor: 'two' },
        { coupon: free, at: '2026-10-31T22:59:59Z', visitor: 'one' },
        { coupon: free, at: '2026-10-31T23:00:00Z', visitor: 'one' },
      ]);
      await orders(service, [
        { id: 1, coupon: trail10, at: '2026-10-03T10:00:00Z', total: 179.8, discount: 17.98, visitor: 'one' },
        { id: 2, coupon: trail20, at: '2026-10-10T10:00:00Z', total: 100, status: 'processing' },
        { id: 3, coupon: bob, at: '2026-10-12T10:00:00Z', total: 261.8 },
        { id: 4, coupon: draft, at: '2026-10-15T10:00:00Z', total: 50 },
        { id: 5, coupon: free, at: '2026-10-20T10:00:00Z', total: 30 },
        { id: 6, coupon: bob, at: '2026-10-31T22:59:59Z', total: 10, status: 'cancelled' },
        { id: 7, coupon: bob, at: '2026-10-31T23:00:00Z', total: 20 },
      ]);
      await orders(service, [{ id: 4, coupon: draft, at: '2026-10-15T10:00:00Z', total: 50, refunded: 10 }]);
      await submit(service);
    });

    const report = async (query = '') => (await admin.get(`/reports/summary${query}`)).body;
    const row = (name: string, ordersCount: number, sales: number, commission: number) => ({
      user_id: people[name]?.id,
      user: { id: people[name]?.id, display_name: `The ${name}`, login: name, email: `${name}@shop.example` },
      orders_count: ordersCount,
      total_sales: sales,
      total_commission: commission,
    });
    const standing = { affiliates: 3, coupons: 4 };
    const balances = { unpaid_commission: 51.36, pending_order_commission: 10, pending_payout_commission: 0, paid_commission: 0 };

    it('sums up a month of the store to the cent, with the current balances', async () => {
      expect(await report('?from=2026-10-01&to=2026-10-31')).to.deep.equal({
        generated: '2026-11-02T08:00:00',
        currency: 'EUR',
        timezone: 'Europe/Berlin',
        from: '2026-10-01',
        to: '2026-10-31',
        totals: { ...standing, orders_count: 5, total_sales: 611.6, total_discount: 17.98, total_commission: 59.36, ...balances },
        balances: {
          referred_commission: 61.36,
          multi_level_commission: 0,
          awaiting_payment_commission: 0,
          handed_over_commission: 0,
          total: 61.36,
        },
        payouts: { pending_count: 0, pending_amount: 0, paid_count: 0, paid_amount: 0 },
        clicks: { clicks: 3, conversions: 1, conversion_rate: 33.33 },
        pending_registrations: 1,
        top_affiliates: [row('ann', 2, 279.8, 26.18), row('bob', 1, 261.8, 26.18), row('cyd', 1, 40, 4)],
        cached: false,
      });
    });

    it('sums up everything without a range', async () => {
      const { from, to, totals, clicks, top_affiliates } = await report();
      expect([from, to]).to.deep.equal([null, null]);
      expect(totals).to.deep.equal({
        ...standing,
        orders_count: 6,
        total_sales: 631.6,
        total_discount: 17.98,
        total_commission: 61.36,
        ...balances,
      });
      expect(clicks).to.deep.equal({ clicks: 4, conversions: 1, conversion_rate: 25 });
      expect(top_affiliates).to.deep.equal([row('bob', 2, 281.8, 28.18), row('ann', 2, 279.8, 26.18), row('cyd', 1, 40, 4)]);
    });

    it('accepts open ranges, and ends today without an end', async () => {
      const november = await report('?from=2026-11-01');
      expect([november.from, november.to, november.totals.orders_count]).to.deep.equal(['2026-11-01', '2026-11-02', 1]);
      expect(november.totals).to.deep.include({ total_sales: 20, total_commission: 2, unpaid_commission: 51.36 });
      const early = await report('?to=2026-10-09');
      expect([early.from, early.to, early.totals.total_sales, early.clicks.clicks]).to.deep.equal([null, '2026-10-09', 179.8, 2]);
      const { status, body } = await admin.get('/reports/summary?from=2026-10-02&to=2026-10-01');
      expect([status, Object.keys(body.data.params)]).to.deep.equal([400, ['from']]);
    });

    it('splits the range into steps whose sums are the totals, and ends an all-time series today', async () => {
      const october = await report('?from=2026-10-01&to=2026-10-31&interval=week');
      expect(october.series.map(({ from, to }: { from: string; to: string }) => `${from}/${to}`)).to.deep.equal([
        '2026-10-01/2026-10-04',
        '2026-10-05/2026-10-11',
        '2026-10-12/2026-10-18',
        '2026-10-19/2026-10-25',
        '2026-10-26/2026-10-31',
      ]);
      expect(october.series[0]).to.deep.equal({
        from: '2026-10-01',
        to: '2026-10-04',
        orders_count: 1,
        total_sales: 179.8,
        total_discount: 17.98,
        total_commission: 16.18,
        clicks: 2,
        conversions: 1,
      });
      const { series, totals, clicks } = await report('?interval=day');
      const sum = (field: string): number =>
        Math.round(series.reduce((total: number, step: Record<string, number>) => total + (step[field] ?? 0), 0) * 100) / 100;
      for (const field of ['orders_count', 'total_sales', 'total_discount', 'total_commission'])
        expect(sum(field), field).to.equal(totals[field]);
      expect([sum('clicks'), sum('conversions')]).to.deep.equal([clicks.clicks, clicks.conversions]);
      expect([series[0].from, series.at(-1).to]).to.deep.equal(['2026-10-02', '2026-11-02']);
    });

    it('lists as many top affiliates as requested, equal ones by id', async () => {
      const names = async (query: string) =>
        (await report(`?from=2026-10-01&to=2026-10-31&${query}`)).top_affiliates.map(({ user }: { user: { login: string } }) => user.login);
      expect(await names('top=1')).to.deep.equal(['ann']);
      expect(await names('top=2')).to.deep.equal(['ann', 'bob']);
      expect(await names('top=0')).to.deep.equal([]);
      expect(await names('top=50')).to.deep.equal(['ann', 'bob', 'cyd']);
      expect((await admin.get('/reports/summary?top=51')).status).to.equal(400);
    });

    it('has payouts only where the edition and the add-on have them', async () => {
      await service.settings.set('addons.payouts', false);
      expect(await report()).not.to.have.property('payouts');
      await service.settings.set('addons.payouts', true);
      await service.settings.set('edition', 'free');
      expect(await report()).not.to.have.property('payouts');
      await service.settings.set('edition', 'pro');
      expect(await report()).to.have.property('payouts');
    });

    it('shows what the balances consist of: commission of orders, multi-level shares and orders that await payment', async () => {
      await service.settings.set('multi_level.rates', [10]);
      const [bob, eve] = [people['bob'] as User, await service.user('eve', 'affiliate')];
      await service.storage.write((transaction) => setParent(transaction, eve.id, bob.id));
      const recruited = await coupon(service, 'EVE', { userId: eve.id, status: 'draft' });
      const at = '2026-11-01T10:00:00Z';
      await orders(service, [
        { id: 8, coupon: recruited, at, total: 150 },
        { id: 9, coupon: recruited, at, total: 70, status: 'pending' },
      ]);
      const { totals, balances: made } = await report();
      expect(made).to.deep.equal({
        referred_commission: 76.36,
        multi_level_commission: 1.5,
        awaiting_payment_commission: 7,
        handed_over_commission: 0,
        total: 84.86,
      });
      expect(totals).to.include({ total_commission: 76.36, unpaid_commission: 67.86, pending_order_commission: 17 });
    });
  });

  describe('the report of a program without orders', () => {
    const { service, admin } = testService(engine);

    it('is all zeros', async () => {
      const { body } = await admin.get('/reports/summary?from=2026-10-01');
      expect(new Set(Object.values(body.totals))).to.deep.equal(new Set([0]));
      expect([body.clicks.conversion_rate, body.pending_registrations, body.top_affiliates]).to.deep.equal([0, 0, []]);
    });

    it('uses whole numbers where the currency has no decimals', async () => {
      await service.settings.set('store.currency', 'JPY');
      const { id: userId } = await service.user('ann', 'affiliate');
      await orders(service, [{ id: 1, coupon: await coupon(service, 'TRAIL10', { userId }), at: '2026-10-01T00:00:00Z', total: 12_345 }]);
      const { body } = await admin.get('/reports/summary');
      expect(body.currency).to.equal('JPY');
      expect(body.totals).to.deep.include({ total_sales: 12_345, total_commission: 1235, unpaid_commission: 1235 });
      expect(body.top_affiliates[0]).to.include({ total_sales: 12_345, total_commission: 1235 });
    });
  });
});
