import { expect } from 'chai';
import { assignCoupon } from '../../domain/coupons/create.ts';
import { buildProgram } from '../../site/program.ts';
import { submit } from '../support/applications.ts';
import { clicks } from '../support/clicks.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { coupon, orders } from '../support/program.ts';
import { testService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('the cached report', () => {
    const { service, admin, clock } = testService(engine);
    const other = testFixture(() => engine.open({ url: service.databaseUrl }));
    const ann = testFixture(() => service.user('ann', 'affiliate'));
    const bob = testFixture(() => service.user('bob', 'affiliate'));
    let trail: number;
    beforeEach(async () => {
      trail = await coupon(service, 'TRAIL10', { userId: ann.id });
      await orders(service, [{ id: 1, coupon: trail, at: '2026-10-03T10:00:00Z' }]);
    });

    const october = '?from=2026-10-01&to=2026-10-31';
    const report = async (query = october) => (await admin.get(`/reports/summary${query}`)).body;
    /** Another process on the same database. */
    const elsewhere = () => ({ settings: service.settings, clock, hashVisitor: service.hashVisitor, storage: other });

    it('is marked as cached, with the time when it was computed', async () => {
      expect(await report()).to.include({ cached: false, generated: '2026-11-02T07:00:00' });
      clock.advance(60);
      expect(await report()).to.include({ cached: true, generated: '2026-11-02T07:00:00' });
      expect(await report(`${october}&top=1`)).to.include({ cached: true });
      expect(await report('?from=2026-10-01&to=2026-10-30')).to.include({ cached: false, generated: '2026-11-02T07:01:00' });
    });

    it('is computed again on request', async () => {
      await report();
      clock.advance(60);
      expect(await report(`${october}&refresh=true`)).to.include({ cached: false, generated: '2026-11-02T07:01:00' });
      clock.advance(60);
      expect(await report()).to.include({ cached: true, generated: '2026-11-02T07:01:00' });
    });

    it('is never older than the last order that another process recorded', async () => {
      await report();
      for (const total of [50, 60]) {
        await orders(elsewhere(), [{ id: 2, coupon: trail, at: '2026-10-05T10:00:00Z', status: 'processing', total }]);
        const { cached, totals } = await report();
        expect([cached, totals.total_sales]).to.deep.equal([false, 100 + total]);
      }
    });

    it('shows the commission that awaits payment as of the last order that another process recorded', async () => {
      const awaiting = async () => (await report('')).balances.awaiting_payment_commission;
      expect(await awaiting()).to.equal(0);
      for (const [status, total, expected] of [
        ['pending', 50, 5],
        ['pending', 60, 6],
        ['processing', 60, 0],
      ] as const) {
        await orders(elsewhere(), [{ id: 3, coupon: trail, at: '2026-10-06T10:00:00Z', status, total }]);
        expect(await awaiting(), `${status} ${total}`).to.equal(expected);
      }
    });

    it('is never older than the last click that another process recorded', async () => {
      await report();
      await clicks(elsewhere(), [{ coupon: trail, at: '2026-10-05T10:00:00Z', visitor: 'one' }]);
      const { cached, clicks: counted } = await report();
      expect([cached, counted.clicks]).to.deep.equal([false, 1]);
    });

    it('follows a new owner of a coupon at once', async () => {
      const best = async () => (await report()).top_affiliates.map(({ user_id }: { user_id: number }) => user_id);
      expect(await best()).to.deep.equal([ann.id]);
      const program = buildProgram(await service.settings.current());
      const around = { program, now: clock.now(), userId: 0, transferBalance: true };
      await other.write((transaction) => assignCoupon(transaction, trail, bob.id, around));
      expect(await best()).to.deep.equal([bob.id]);
      await other.write((transaction) => assignCoupon(transaction, trail, null, around));
      expect(await best()).to.deep.equal([]);
    });

    it('has the current balances, counts and applications', async () => {
      await report();
      await submit(service);
      await coupon(service, 'TRAIL20', { userId: bob.id, status: 'draft' });
      const { cached, pending_registrations, totals } = await report();
      expect([cached, pending_registrations, totals.coupons]).to.deep.equal([false, 1, 1]);
      await submit(service, { login: 'second', email: 'second@shop.example' });
      const next = await report();
      expect([next.cached, next.pending_registrations]).to.deep.equal([true, 2]);
    });
  });
});
