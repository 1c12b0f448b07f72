import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createDemo } from '../../cli/demo/create-demo.ts';
import { createSeededRandom } from '../../cli/demo/names.ts';
import type { SecureRandom } from '../../domain/random.ts';
import { mainlyOn } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { expectConsistent } from './invariants.ts';
import { contentOf, Shop } from './shop.ts';

/** Deterministic, as no source of secrets may be. */
function createTestRandom(): SecureRandom {
  const random = createSeededRandom(7);
  return {
    bytes: (length) => Buffer.from(Array.from({ length }, () => random.between(0, 255))),
    below: (limit) => random.between(0, limit - 1),
  };
}

const now = Date.parse('2026-11-15T09:00:00Z');
const orders = 800;

const createStore = (shop: Shop, numberOfOrders = orders) =>
  createDemo({
    storage: shop.database,
    masterKey: { keys: () => ['the master key of the demo store'], visitorKey: Buffer.from('the key of visitors') },
    random: createTestRandom(),
    orders: numberOfOrders,
    now,
  });

// The names of movements are random.
const checksum = async (shop: Shop): Promise<string> =>
  createHash('sha256')
    .update(JSON.stringify(await contentOf(shop.observer, { ledger: ['movement'] })))
    .digest('hex');

mainlyOn('sqlite', (engine) => {
  // The demo store is always a SQLite file.
  if (engine.name !== 'sqlite') return;
  describe('the demo store', () => {
    const shop = suiteFixture(() => Shop.open(engine));
    const credentials = suiteFixture(() => createStore(shop));
    const numbers = async (sql: string): Promise<Record<string, number>> => {
      const rows = await shop.observer.query<{ name: string; number: unknown }>(sql);
      return Object.fromEntries(rows.map(({ name, number }) => [name, Number(number)]));
    };
    const countBy = (column: string, table: string) =>
      numbers(`select ${column} as name, count(*) as number from ${table} group by ${column}`);

    it('has a ledger, balances, figures and events that agree with the orders', () => expectConsistent(shop));

    it('has orders in every status, credited in both ways, cleared and not', async () => {
      const statuses = await countBy('status', 'orders');
      expect(statuses).to.have.all.keys('pending', 'processing', 'on-hold', 'completed', 'failed', 'cancelled', 'refunded');
      expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).to.equal(orders);
      expect(await countBy('credited_via', 'orders')).to.have.all.keys('coupon', 'referral_link');
      expect(await countBy('commission_status', 'orders')).to.have.all.keys('pending', 'granted', 'reversed');
    });

    it('has clicks with campaigns that led to orders, applications in every status, and payout details', async () => {
      const { clicks, conversions, campaigns } = await numbers(
        `select 'clicks' as name, count(*) as number from clicks
         union all select 'conversions', count(converted_order_id) from clicks
         union all select 'campaigns', count(distinct campaign) from clicks`,
      );
      expect(clicks).to.be.within(2 * orders - 50, 2 * orders + 50);
      expect(conversions).to.be.greaterThan(orders / 10);
      expect(campaigns).to.be.greaterThan(3);
      expect(await countBy('status', 'registrations')).to.have.all.keys('pending', 'accepted', 'declined');
      expect(await countBy('method_type', 'payout_details')).to.include.keys('paypal', 'banktransfer');
    });

    it('has payouts in every state, with their history, and no mails that would be sent a year late', async () => {
      expect(await countBy('status', 'payouts')).to.have.all.keys('pending', 'created', 'paid', 'cancel');
      expect(await countBy('kind', 'events')).to.include.keys('payout_request', 'payout_created', 'payout_paid', 'payout_cancelled');
      expect(await countBy('recipient', 'mails')).to.deep.equal({});
    });

    it('has the records of the examples of the contract, under their ids', async () => {
      const one = async (sql: string): Promise<unknown> => (await shop.observer.query(sql))[0];
      expect(credentials.affiliate).to.include({ user_id: 42, coupon_id: 301, login: 'trailnotes' });
      expect(await one('select login, parent_id from users where id = 42')).to.deep.equal({ login: 'trailnotes', parent_id: 17 });
      expect(await one('select code, user_id from coupons where id = 288')).to.deep.equal({ code: 'SUMMIT10', user_id: 17 });
      expect(
        await shop.observer.query(
          `select order_id, status, commission_minor, commission_status, credited_via from orders where order_id <= 58412 order by order_id`,
        ),
      ).to.deep.equal([
        { order_id: 58213, status: 'completed', commission_minor: 1618, commission_status: 'granted', credited_via: 'referral_link' },
        { order_id: 58340, status: 'completed', commission_minor: 1620, commission_status: 'granted', credited_via: 'coupon' },
        { order_id: 58412, status: 'processing', commission_minor: 899, commission_status: 'pending', credited_via: 'coupon' },
      ]);
      expect(await one('select coupon_id, status from payouts where id = 501')).to.deep.equal({ coupon_id: 301, status: 'pending' });
      expect(await shop.observer.query('select id, login, status from registrations where id < 8 order by id')).to.deep.equal([
        { id: 6, login: 'bargainbin', status: 'declined' },
        { id: 7, login: 'trailnotes', status: 'pending' },
      ]);
      expect(await one('select user_id, scopes from api_keys where id = 12')).to.deep.equal({ user_id: 42, scopes: 'read' });
      expect(await one('select name from webhooks where id = 5')).to.deep.equal({ name: 'Bookkeeping' });
    });

    it('has webhooks that send nothing without a receiver', async () => {
      expect(await countBy('status', 'webhooks')).to.deep.equal({ disabled: 2 });
      expect(await countBy('status', 'webhook_deliveries')).to.deep.equal({});
    });

    it('ends yesterday, so that the last days have orders, and has more orders before Christmas than after', async () => {
      const days = await shop.observer.query<{ day: string }>('select day from orders order by day');
      expect([days[0]?.day, days.at(-1)?.day]).to.deep.equal(['2025-11-15', '2026-11-14']);
      const inMonth = (month: string): number => days.filter(({ day }) => day.startsWith(month)).length;
      expect(inMonth('2025-12')).to.be.greaterThan(1.3 * inMonth('2026-01'));
    });

    it('has credentials for an affiliate with orders, clicks, recruits and shares of their sales', async () => {
      const { user_id, coupon_id } = credentials.affiliate;
      const found = await numbers(
        `select 'orders' as name, count(*) as number from orders where coupon_id = ${coupon_id}
         union all select 'clicks', count(*) from clicks where coupon_id = ${coupon_id}
         union all select 'recruits', count(*) from users where parent_id = ${user_id}
         union all select 'shares', count(*) from order_shares where user_id = ${user_id}`,
      );
      for (const [name, count] of Object.entries(found)) expect(count, name).to.be.greaterThan(7);
    });

    it('has one case each of the commonest risk signals, and none about an ordinary affiliate', async () => {
      const { items } = await shop.database.read(({ riskSignals }) => riskSignals.page({}, { page: 1, perPage: 100 }));
      expect(items.map(({ kind, userId }) => [userId, kind]).toSorted()).to.deep.equal([
        [18, 'self_referral'],
        [19, 'code_without_click'],
        [20, 'refund_after_payout'],
        [21, 'shared_destination'],
        [22, 'shared_destination'],
        [23, 'details_changed'],
      ]);
      expect(items.every(({ status, evidence }) => status === 'open' && evidence.length > 0)).to.equal(true);
    });

    it('has a feed in chronological order, week by week', async () => {
      const dates = (await shop.observer.query<{ created_at: unknown }>('select created_at from events order by id')).map((row) =>
        Number(row.created_at),
      );
      const week = 7 * 86_400_000;
      expect(dates).to.have.length.above(100);
      expect(dates.every((date, at) => date > (dates[at - 1] ?? 0) - week)).to.equal(true);
    });

    it('is the same in every run for the same moment', async () => {
      const [first, second] = [await Shop.open(engine), await Shop.open(engine)];
      expect(await createStore(first, 200)).to.deep.equal(await createStore(second, 200));
      expect(await checksum(first)).to.equal(await checksum(second));
    });
  });
});
