import { expect } from 'chai';
import fc from 'fast-check';
import type { ProgramOrderFilter } from '../../domain/orders/order-pages.ts';
import type { Page } from '../../domain/page.ts';
import { forEachEngine } from '../support/engines.ts';
import { suiteFixture, testFixture } from '../support/fixture.ts';
import { insertOwners } from './samples.ts';

const counts = ['n_pending', 'n_processing', 'n_on_hold', 'n_completed', 'n_failed', 'n_cancelled', 'n_refunded'];

const coupon = fc.integer({ min: 1, max: 5 });
const day = fc.constantFrom('2026-01-30', '2026-01-31', '2026-02-01');
const owner = fc.constantFrom('null', '1', '2', '3');
const column = fc.constantFrom(...counts);

/** Any write to the source tables, also from outside the service. */
const anyWrite = fc.oneof(
  fc.tuple(coupon, day, column).map(
    ([id, on, name]) => `insert into coupon_days (coupon_id, day, ${name}) values (${id}, '${on}', 1)
      on conflict (coupon_id, day) do update set ${name} = coupon_days.${name} + excluded.${name}`,
  ),
  fc.tuple(coupon, day, day).map(
    ([id, from, to]) => `update coupon_days set day = '${to}' where coupon_id = ${id} and day = '${from}'
      and not exists (select 1 from coupon_days as there where there.coupon_id = ${id} and there.day = '${to}')`,
  ),
  fc
    .tuple(day, column, column)
    .filter(([, one, other]) => one !== other)
    .map(([on, one, other]) => `update coupon_days set ${one} = ${one} + 1, ${other} = ${other} - 1 where day >= '${on}'`),
  fc.tuple(coupon, coupon).map(([one, other]) => `delete from coupon_days where coupon_id in (${one}, ${other})`),
  fc.tuple(coupon, owner).map(([id, user]) => `update coupons set user_id = ${user} where id = ${id}`),
);

const sums = counts.map((name) => `sum(${name}) as ${name}`).join(', ');
const isAny = counts.map((name) => `sum(${name}) <> 0`).join(' or ');
const stored = `select user_id, day, ${sums} from order_days group by user_id, day having ${isAny} order by user_id, day`;
const computed = `
  select user_id, day, ${sums} from (
    select 0 as user_id, coupon_days.* from coupon_days
    union all select user_id, coupon_days.* from coupon_days join coupons on coupons.id = coupon_id where user_id is not null
  ) as counted group by user_id, day having ${isAny} order by user_id, day`;

const numbers = (rows: object[]): unknown[] =>
  rows.map((row) => Object.values(row).map((value) => (/-/.test(value) ? value : Number(value))));

forEachEngine((engine) => {
  describe('the stored counts of orders by day', () => {
    const observer = testFixture(async () => engine.observe(await engine.freshUrl()));
    beforeEach(() => insertOwners(observer, 3, [2, 3, 1, 2, null]));

    it('equal the sums over coupons, of the program and of each affiliate, after any writes to days and owners', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyWrite, { minLength: 5, maxLength: 25 }), async (writes) => {
          for (const write of writes) await observer.query(write);
          expect(numbers(await observer.query(stored))).to.deep.equal(numbers(await observer.query(computed)));
        }),
        { numRuns: 30, endOnFailure: true },
      );
    });
  });

  describe('the query plans of the list of orders', () => {
    const statements: string[] = [];
    const database = suiteFixture(() => engine.open({ onStatement: (sql) => statements.push(sql) }));
    const observer = suiteFixture(() => engine.observe(database.url));
    const upTo = (count: number): string =>
      `with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${count})`;
    before(async () => {
      // 30,000 orders on 100 days. User 1 has half of the coupons, each other user one.
      await insertOwners(
        observer,
        101,
        Array.from({ length: 200 }, (_, n) => (n < 100 ? 1 : n - 98)),
      );
      const amounts = ['total', 'discount', 'shipping', 'tax', 'refunded', 'fixed_per_order', 'fixed_per_product', 'commission'];
      const zeros = amounts.map((name) => `${name}_minor`).join(', ');
      await observer.query(`
        insert into orders (order_id, coupon_id, day, placed_at, status, ${zeros}, quantity, percent_thousandths, commission_status, due_at, credited_via)
        ${upTo(30_000)} select i, 1 + i % 200, '2026-' || (11 + i % 10) || '-' || (10 + i / 10 % 10), i, 'completed', ${amounts.map(() => '0').join(', ')},
          1, 0, 'granted', 0, 'coupon' from numbers`);
      await observer.query(
        `insert into coupon_days (coupon_id, day, n_completed) select coupon_id, day, count(*) from orders group by coupon_id, day`,
      );
      if (engine.name === 'postgres') await observer.query('analyze');
    });

    const allDays = { from: null, to: null };
    /** The plans of all statements that read orders or their counts. */
    const plansOf = async (filter: Omit<ProgramOrderFilter, 'range'>, page: Page): Promise<string> => {
      statements.length = 0;
      const { items } = await database.read(({ orderPages }) => orderPages.programPage({ range: allDays, ...filter }, page));
      expect(items).not.to.deep.equal([]);
      const explain = engine.name === 'sqlite' ? 'explain query plan' : 'explain (generic_plan)';
      const plans: unknown[] = [];
      for (const sql of statements.filter((text) => /from orders|_days/.test(text))) plans.push(await observer.query(`${explain} ${sql}`));
      return JSON.stringify(plans);
    };
    const scansOrders = /SCAN orders(?! USING INDEX orders_newest)|Seq Scan on orders/;

    for (const [name, filter, index] of [
      ['without a filter', {}, 'orders_newest'],
      ['of a user with one coupon', { userId: 50 }, 'orders_of_coupon'],
      ['of a user with a hundred coupons', { userId: 1 }, 'orders_'],
      ['of a coupon', { couponId: 7 }, 'orders_of_coupon'],
      ['of an order number', { search: '77' }, 'orders'],
    ] as const)
      it(`find the first page ${name}, and its total, by index`, async () => {
        const plans = await plansOf(filter, { page: 1, perPage: 20 });
        expect(plans).to.include(index).and.not.match(scansOrders);
      });

    it('find the last page by the days that it has', async () => {
      for (const filter of [{}, { userId: 1 }]) {
        const total = 'userId' in filter ? 15_000 : 30_000;
        const plans = await plansOf(filter, { page: total / 20, perPage: 20 });
        expect(plans).to.not.match(scansOrders);
        expect(statements.flatMap((sql) => /offset (\d+)/.exec(sql)?.[1] ?? []).map(Number)[0]).to.be.below(300);
      }
    });
  });
});
