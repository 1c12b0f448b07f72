import { expect } from 'chai';
import { refreshFigures } from '../../domain/figures/refresh.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import { forEachEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { coupon, newOrderId, orders } from '../support/program.ts';
import { startService, suiteService } from '../support/service.ts';

const figures = { orders_count: 2, total_sales: 300, total_discount: 20, total_shipping: 8, total_commission: 28 };

forEachEngine((engine) => {
  describe('GET /coupons/{id}/stats?refresh=true', () => {
    const { service, admin, administrator, clock } = suiteService(engine);
    const observer = suiteFixture(() => engine.observe(service.databaseUrl));
    let id: number;
    beforeEach(async () => {
      id = await coupon(service, 'TRAIL10');
      await orders(service, [
        { id: newOrderId(), coupon: id, at: '2026-09-30T12:00:00Z', total: 100, discount: 20, shipping: 3 },
        { id: newOrderId(), coupon: id, at: '2026-10-05T12:00:00Z', total: 200, shipping: 5, status: 'on-hold' },
        { id: newOrderId(), coupon: id, at: '2026-10-05T13:00:00Z', total: 900, shipping: 5, status: 'failed' },
      ]);
    });

    const drift = async () => {
      await observer.query(`update coupon_totals set orders_count = 7, sales_minor = 5, n_completed = 0 where coupon_id = ${id}`);
      await observer.query(`update coupon_days set sales_minor = 1, day = '2026-08-01' where coupon_id = ${id} and day = '2026-09-30'`);
    };
    const stats = async (query = '', on = id) => (await admin.get(`/coupons/${on}/stats${query}`)).body;
    const refresh = (on = id) => stats('?refresh=true', on);

    it('repairs a snapshot that has drifted from the orders, stores it, and returns when it was refreshed', async () => {
      await drift();
      expect(await stats()).to.include({ orders_count: 7, total_sales: 0.05, source: 'cache' });
      const now = { last_refreshed: '2026-11-02T07:00:00', status_counts: { completed: 1, 'on-hold': 1, failed: 1 } };
      expect(await refresh()).to.deep.include({ ...figures, ...now, source: 'live' });
      expect(await stats()).to.deep.include({ ...figures, ...now, source: 'cache' });
      expect((await admin.get(`/coupons/${id}`)).body.stats).to.deep.equal({ ...figures, last_refreshed: now.last_refreshed });
    });

    it('repairs the days too: a cached range is stale at once', async () => {
      await drift();
      const range = '?from=2026-09-01&to=2026-10-31&interval=month';
      expect(await stats(range)).to.include({ orders_count: 1, source: 'live' });
      expect(await stats(range)).to.include({ orders_count: 1, source: 'cache' });
      await refresh();
      expect(await stats(range)).to.deep.include({ ...figures, source: 'live', last_refreshed: '2026-11-02T07:00:00' });
      expect(await stats('?to=2026-08-31')).to.include({ orders_count: 0 });
    });

    it('refreshes once a minute for each coupon, and answers the stored figures in between', async () => {
      expect(await refresh()).to.include({ source: 'live', retry_after: null });
      await drift();
      clock.advance(59);
      expect(await refresh()).to.include({
        source: 'throttled',
        retry_after: 1,
        orders_count: 7,
        last_refreshed: '2026-11-02T07:00:00',
      });
      expect(await stats()).to.include({ source: 'cache', retry_after: null });
      expect(await refresh(await coupon(service, 'OTHER'))).to.include({ source: 'live', orders_count: 0 });
      clock.advance(1);
      expect(await refresh()).to.deep.include({ ...figures, source: 'live', last_refreshed: '2026-11-02T07:01:00' });
      clock.advance(-60);
    });

    it('is ignored with a range, and does not use up the minute', async () => {
      await drift();
      for (const query of ['from=2026-01-01', 'to=2026-12-31', 'from=2026-01-01&to=2026-12-31'])
        expect(await stats(`?refresh=true&${query}`)).to.include({ source: 'live', last_refreshed: null, orders_count: 2 });
      expect(await refresh()).to.include({ source: 'live' });
    });

    it('answers 429 with Retry-After only where nothing is stored yet', async () => {
      const fresh = await coupon(service, 'FRESH');
      // What a process leaves behind that ended in the middle of its first refresh.
      await observer.query(`insert into coupon_totals (coupon_id, refresh_claimed_at) values (${fresh}, ${clock.now() - 20_500})`);
      const { status, body, headers } = await admin.get(`/coupons/${fresh}/stats?refresh=true`);
      expect([status, body.code, body.data.retry_after]).to.deep.equal([429, 'svc_api_throttled', 40]);
      expect(headers.get('Retry-After')).to.equal('40');
      clock.advance(40);
      expect(await refresh(fresh)).to.include({ source: 'live', orders_count: 0 });
      expect(await refresh(fresh)).to.include({ source: 'throttled', orders_count: 0 });
      clock.advance(-40);
    });

    it('answers live zeros for a coupon without orders that was never refreshed', async () => {
      expect(await refresh(await coupon(service, 'EMPTY'))).to.deep.include({ source: 'live', orders_count: 0, status_counts: {} });
    });

    it('needs the write scope of a key, and the CSRF header of a session', async () => {
      const owner = await service.user(`owner-${id}`, 'affiliate', { password: 'a password for tests' });
      const own = await coupon(service, 'OWN', { userId: owner.id });
      const ask = async (headers: Record<string, string>) => {
        const { status, body } = await (await service.client(headers)).get(`/coupons/${own}/stats?refresh=1`);
        return [status, body.source ?? body.code];
      };
      const session = await service.session(owner.login, 'a password for tests');
      expect(await ask((await service.key(owner, ['read'])).headers)).to.deep.equal([403, 'svc_api_insufficient_scope']);
      expect(await ask({ Cookie: session['Cookie'] ?? '' })).to.deep.equal([403, 'svc_api_csrf_failed']);
      expect(await ask((await service.key(owner, ['read', 'write'])).headers)).to.deep.equal([200, 'live']);
      expect(await ask(session)).to.deep.equal([200, 'throttled']);
    });

    it('answers 404 for a foreign coupon as for a missing one, and does not use up its minute', async () => {
      const stranger = await service.user(`stranger-${id}`, 'affiliate');
      const client = await service.clientOf(stranger, ['read', 'write']);
      const [foreign, missing] = [id, Number.MAX_SAFE_INTEGER].map((number) => client.get(`/coupons/${number}/stats?refresh=true`));
      expect((await foreign)?.status).to.equal(404);
      expect((await foreign)?.body).to.deep.equal((await missing)?.body);
      expect(await refresh()).to.include({ source: 'live' });
    });

    it('refreshes once when many callers request it from two servers at the same time', async () => {
      const other = await startService(engine, { databaseUrl: service.databaseUrl, clock });
      const clients = [admin, await other.clientOf(administrator)];
      const asking = Array.from({ length: 8 }, (_, at) => clients[at % 2]?.get(`/coupons/${id}/stats?refresh=true`));
      const sources = (await Promise.all(asking)).map((answer) => answer?.body.source).toSorted();
      expect(sources).to.deep.equal(['live', ...Array.from({ length: 7 }, () => 'throttled')]);
      expect(await stats()).to.deep.include(figures);
    });

    /** The storage as it is while orders come in: one after each of the first reads of a rebuild. */
    const busy = (reads: number): UnitOfWork<Repositories> => ({
      query: (work) => service.storage.query(work),
      write: (work) => service.storage.write(work),
      async read(work) {
        const result = await service.storage.read(work);
        reads -= 1;
        if (reads >= 0) await orders(service, [{ id: newOrderId(), coupon: id, at: '2026-10-05T12:00:00Z', total: 1 }]);
        return result;
      },
    });

    for (const [orderly, reads] of [
      ['once', 1],
      ['a few times', 5],
      ['all the time', 1000],
    ] as const)
      it(`loses no order that is recorded while it reads, ${orderly}`, async () => {
        await drift();
        expect(await refreshFigures(busy(reads), id, clock.now())).to.equal(0);
        const kept = await stats();
        const [counted] = await observer.query<{ count: unknown }>(
          `select count(*) as count from orders where coupon_id = ${id} and status <> 'failed'`,
        );
        expect(kept.orders_count).to.equal(Number(counted?.count));
        expect(kept.total_sales).to.equal(300 + kept.orders_count - 2);
        expect(await stats('?from=2026-01-01&to=2026-12-31')).to.include({
          orders_count: kept.orders_count,
          total_sales: kept.total_sales,
        });
      });
  });
});
