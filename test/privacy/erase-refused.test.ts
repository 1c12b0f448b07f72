import { expect } from 'chai';
import { expectCommandError, Machine } from '../cli/machine.ts';
import { mainlyOn } from '../support/engines.ts';
import { earn, openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { coupon, newOrderId, orders, parent } from '../support/program.ts';
import { masterKey, TestClock } from '../support/service.ts';

// The command has the clock of the machine.
const options = () => ({ clock: new TestClock(Date.now()), settings: { 'store.currency': 'EUR' } });

const machineOf = ({ service: { databaseUrl, dataDir } }: PayoutStore): Machine =>
  new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey, DATA_DIR: dataDir });

mainlyOn('sqlite', (engine) => {
  describe('affiliate user erase of an affiliate with money', function () {
    this.timeout(60_000);
    let store: PayoutStore;
    let machine: Machine;

    beforeEach(async () => {
      store = await openPayoutStore(engine, options());
      machine = machineOf(store);
    });

    const erase = (...more: string[]) => machine.run(['user', 'erase', 'trail', ...more]);

    it('is refused while there is a balance, names it, and changes nothing', async () => {
      expectCommandError(
        await erase(),
        /^trail has a balance: 100\.00 EUR unpaid and 0\.00 EUR of orders that are not cleared on TRAIL10\. /,
      );
      expect((await store.affiliate.get('/me')).body.user.login).to.equal('trail');
    });

    it('deletes mails to the address in other capitals, also of letters beyond ASCII', async () => {
      const { service } = store;
      const email = 'élan@person.example';
      await machine.run(['import', '-'], { input: `${JSON.stringify({ kind: 'user', login: 'elan', email, display_name: 'Élan' })}\n` });
      await service.storage.write(({ mails }) => {
        const [from, to] = [
          { name: 'Store', address: 'store@shop.example' },
          { name: 'Another name', address: email.toUpperCase() },
        ];
        return mails.insert({ from, to, subject: 'Hello', text: 'Hello', html: 'Hello', createdAt: service.clock.now() });
      });
      await machine.text('user', 'erase', 'elan');
      const left = await (await engine.observe(service.databaseUrl)).query("select id from mails where recipient_name = 'Another name'");
      expect(left).to.deep.equal([]);
    });

    it('is refused while a payout is open, also with --forfeit', async () => {
      const { body } = await store.request();
      for (const more of [[], ['--forfeit']])
        expectCommandError(await erase(...more), new RegExp(`^trail has an open payout, ${body.id}\\. `));
      await store.change(body.id, 'paid');
      expect((await erase()).code).to.equal(0);
    });

    it('--forfeit books the balance to the store by movements with their own reason, and later changes of past orders concern no balance', async () => {
      await store.set('commission.clearing_days', 14);
      const uncleared = { id: newOrderId(), coupon: store.couponId, at: new Date(store.service.clock.now()).toISOString(), total: 50 };
      await orders(store.service, [uncleared]);
      const before = (await store.admin.get(`/coupons/${store.couponId}/stats`)).body;
      expect((await erase('--forfeit')).code).to.equal(0);
      expect(await store.pools()).to.deep.equal({ unpaid: 0, pending: 0, paid: 0 });
      const observer = await engine.observe(store.service.databaseUrl);
      const rows = await observer.query<{ pool: string; amount: number; note: string }>(
        "select pool, amount_minor as amount, note from ledger where reason = 'forfeit' order by id",
      );
      expect(rows.map(({ pool, amount }) => [pool, Number(amount)])).to.deep.equal([
        ['unpaid', -10_000],
        ['store', 10_000],
        ['pending_order', -500],
        ['store', 500],
      ]);
      expect(rows[0]?.note).to.equal(`Forfeited when user ${store.user.id} was erased.`);
      expect((await store.admin.get(`/coupons/${store.couponId}/stats`)).body.total_commission).to.equal(before.total_commission);
      await orders(store.service, [{ ...uncleared, status: 'refunded', refunded: 50 }]);
      expect(await store.pools()).to.deep.equal({ unpaid: 0, pending: 0, paid: 0 });
      expect((await store.admin.get(`/coupons/${store.couponId}`)).body.pending_order_commission).to.equal(0);
      await machine.text('ledger', 'verify');
      // The order was never earned, so that 5.00 less were forfeited, and the store bears nothing.
      const [sums] = await observer.query<Record<string, unknown>>(
        `select sum(case when reason = 'forfeit' and pool <> 'store' then amount_minor else 0 end) as forfeited,
           sum(case when pool = 'handed_over' then amount_minor else 0 end) as borne from ledger`,
      );
      expect([Number(sums?.['forfeited']), Number(sums?.['borne'])]).to.deep.equal([-10_000, 0]);
    });

    it('protects the shares of an erased upline from later changes of the orders, as its own orders are', async () => {
      await store.set('multi_level.rates', [10]);
      await store.set('addons.multi_level', true);
      const recruit = await store.service.user('recruit', 'affiliate');
      await parent(store.service, recruit.id, store.user.id);
      const recruited = await coupon(store.service, 'RECRUIT', { userId: recruit.id });
      const sale = { id: newOrderId(), coupon: recruited, at: new Date(store.service.clock.now()).toISOString(), total: 1000 };
      await orders(store.service, [sale]);
      expect((await store.pools()).unpaid).to.equal(110);
      expect((await erase('--forfeit')).code).to.equal(0);
      for (const changed of [{ status: 'cancelled' }, {}, { total: 500 }] as const) {
        await orders(store.service, [{ ...sale, ...changed }]);
        expect(await store.pools()).to.deep.equal({ unpaid: 0, pending: 0, paid: 0 });
      }
      // Granted after the erasure: a share of its own.
      await orders(store.service, [{ ...sale, id: newOrderId() }]);
      expect((await store.pools()).unpaid).to.equal(10);
      await machine.text('ledger', 'verify');
    });

    it('can be repeated with --forfeit for what the coupon earned since', async () => {
      expect((await erase('--forfeit')).code).to.equal(0);
      await earn(store.service, store.couponId, 7);
      const { code } = await machine.run(['user', 'erase', `erased-${store.user.id}`, '--forfeit']);
      expect([code, await store.pools()]).to.deep.equal([0, { unpaid: 0, pending: 0, paid: 0 }]);
    });

    it('leaves an account that admins can neither enable nor invite', async () => {
      await store.set('addons.management', true);
      expect((await erase('--forfeit')).code).to.equal(0);
      const path = `/affiliates/${store.user.id}`;
      const enabled = await store.admin.post(`${path}/status`, { json: { status: 'active' } });
      expect([enabled.status, enabled.body.code, enabled.body.message]).to.deep.equal([
        403,
        'svc_api_cannot_manage_user',
        'This account was erased.',
      ]);
      expect((await store.admin.post(`${path}/invitation`)).status).to.equal(403);
    });

    it('ends the access of keys in the running service at once, and of nobody else', async () => {
      expect((await erase('--forfeit')).code).to.equal(0);
      // A key's owner is cached for at most half a second on PostgreSQL.
      if (engine.name === 'postgres') await new Promise((resolve) => setTimeout(resolve, 600));
      expect((await store.affiliate.get('/me')).status).to.equal(401);
      expect((await store.admin.get('/me')).status).to.equal(200);
    });

    it('leaves one of two: a payout request or an erasure, never both, and the ledger verifies', async () => {
      for (let round = 0; round < 4; round += 1) {
        const raced = await openPayoutStore(engine, options());
        const [erased, requested] = await Promise.all([machineOf(raced).run(['user', 'erase', 'trail', '--forfeit']), raced.request()]);
        const isErased = erased.code === 0;
        const { unpaid, pending } = await raced.pools();
        expect([unpaid, pending], JSON.stringify([erased, requested.body])).to.deep.equal(isErased ? [0, 0] : [0, 100]);
        expect(requested.status === 201).to.equal(!isErased);
        await raced.service.stop();
      }
    });

    it('two at once erase once, and an import of the same login meanwhile is the old user or a new one, never half of each', async () => {
      const line = JSON.stringify({ kind: 'user', login: 'trail', email: 'imported@shop.example', display_name: 'Imported name' });
      const outcomes = await Promise.all([
        machine.run(['user', 'erase', 'trail', '--forfeit']),
        machine.run(['user', 'erase', 'trail', '--forfeit']),
        machine.run(['import', '-'], { input: `${line}\n` }),
      ]);
      const [first, second, imported] = outcomes;
      expect(imported?.code, JSON.stringify(outcomes)).to.equal(0);
      const users = await machine.json<{ id: number; login: string; display_name: string }[]>('user', 'list');
      const erased = users.find(({ id }) => id === store.user.id);
      // Where the import made a new user between the two, the second erases that one.
      expect([first?.code, second?.code]).to.include(0);
      expect(erased).to.deep.include({ login: `erased-${store.user.id}`, display_name: `erased-${store.user.id}` });
      for (const user of users.filter(({ login }) => login === 'trail')) expect(user.display_name).to.equal('Imported name');
    });
  });
});
