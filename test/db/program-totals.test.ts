import { expect } from 'chai';
import fc from 'fast-check';
import { recordOrders } from '../../domain/order-recording/record.ts';
import { at, order, simpleProgram } from '../program/samples.ts';
import { forEachEngine, type Observer } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { insertOwners } from './samples.ts';

// What reports read instead of adding up.

const figures = ['orders_count', 'sales_minor', 'discount_minor', 'commission_minor'];
const balances = ['unpaid_minor', 'pending_order_minor', 'pending_payout_minor', 'paid_minor', 'multi_level_minor', 'handed_over_minor'];
const sums = (columns: string[]): string => columns.map((column) => `coalesce(sum(${column}), 0) as ${column}`).join(', ');

const small = fc.integer({ min: -50, max: 50 });
const owner = fc.constantFrom('null', '1', '2', '3');
const status = fc.constantFrom("'publish'", "'draft'");
const id = fc.integer({ min: 1, max: 5 });

/** Orders and clicks are counted by coupon and by its days. */
const inBothTables = (
  what: 'coupon' | 'click',
  write: (table: string, key: string, of: (coupon: number) => string) => string,
): string[] => [
  write(`${what}_totals`, 'coupon_id', String),
  write(`${what}_days`, 'coupon_id, day', (coupon) => `${coupon}, '2026-01-0${coupon}'`),
];

const sell = (coupon: number, orders: number, commission: number): string[] =>
  inBothTables(
    'coupon',
    (table, key, of) => `
      insert into ${table} (${key}, orders_count, sales_minor, commission_minor) values (${of(coupon)}, ${orders}, 5, ${commission})
      on conflict (${key}) do update set orders_count = ${table}.orders_count + excluded.orders_count,
        sales_minor = ${table}.sales_minor + 3, commission_minor = ${table}.commission_minor + excluded.commission_minor`,
  );

const click = (coupon: number, clicks: number): string[] =>
  inBothTables(
    'click',
    (table, key, of) => `
      insert into ${table} (${key}, clicks, conversions) values (${of(coupon)}, ${clicks}, 1)
      on conflict (${key}) do update set clicks = ${table}.clicks + excluded.clicks, conversions = ${table}.conversions + 1`,
  );

const deleteCounts = (what: 'coupon' | 'click', coupon: number): string[] =>
  inBothTables(what, (table) => `delete from ${table} where coupon_id = ${coupon}`);

/** Any write to the source tables, also from outside the service. */
const anyWrite: fc.Arbitrary<string | string[]> = fc.oneof(
  fc.tuple(id, owner).map(([coupon, user]) => `update coupons set user_id = ${user} where id = ${coupon}`),
  fc.tuple(id, status).map(([coupon, now]) => `update coupons set status = ${now} where id = ${coupon}`),
  fc.tuple(id, owner, status).map(([coupon, user, now]) => `update coupons set user_id = ${user}, status = ${now} where id = ${coupon}`),
  fc
    .tuple(id, fc.constantFrom(...balances), small)
    .map(([coupon, of, by]) => `update coupons set ${of} = ${of} + ${by} where id = ${coupon}`),
  fc.tuple(id, small, small).map(([coupon, orders, commission]) => sell(coupon, Math.abs(orders), commission)),
  fc.tuple(id, small).map(([coupon, clicks]) => click(coupon, Math.abs(clicks))),
  // Of several coupons at once, also of one owner.
  small.map((by) => `update coupons set unpaid_minor = unpaid_minor + ${by} + id`),
  small.map((by) =>
    inBothTables('coupon', (table) => `update ${table} set commission_minor = commission_minor + ${by}, orders_count = orders_count + 1`),
  ),
  id.map((coupon) => deleteCounts('coupon', coupon)),
  id.map((coupon) => deleteCounts('click', coupon)),
  fc.constant(
    `insert into coupons (code, code_folded, user_id, status, created_at, unpaid_minor) values ('MORE', 'more', 2, 'publish', 0, 7)`,
  ),
  fc.constant(`delete from coupons where code = 'MORE'`),
);

const numbers = (rows: object[]): Record<string, number>[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])));

const stored = async ({ query }: Observer): Promise<unknown> => ({
  standing: numbers(await query(`select ${sums(['affiliates', 'coupons', ...balances])} from program_standing`)),
  program: numbers(await query(`select ${figures.join(', ')}, clicks, conversions from program_totals`)),
  affiliates: numbers(
    await query(`select user_id, published, ${figures.join(', ')} from affiliate_totals where orders_count > 0 order by user_id`),
  ),
});

const computed = async ({ query }: Observer): Promise<unknown> => ({
  standing: numbers(
    await query(`select count(distinct case when status = 'publish' then user_id end) as affiliates,
      count(case when status = 'publish' then user_id end) as coupons, ${sums(balances)} from coupons`),
  ),
  program: [
    {
      ...numbers(await query(`select ${sums(figures)} from coupon_totals`))[0],
      ...numbers(await query(`select ${sums(['clicks', 'conversions'])} from click_totals`))[0],
    },
  ],
  affiliates: numbers(
    await query(`select user_id, sum(case when status = 'publish' then 1 else 0 end) as published, ${sums(figures)}
      from coupons left join coupon_totals on coupon_id = coupons.id
      where user_id is not null group by user_id having sum(orders_count) > 0 order by user_id`),
  ),
});

describe('the stored totals of the program', () => {
  forEachEngine((engine) => {
    const observer = testFixture(async () => engine.observe(await engine.freshUrl()));
    beforeEach(() => insertOwners(observer, 3, [2, 3, 1, 2, null]));

    it('equal the sums after any writes to orders, clicks, balances, owners and states', async () => {
      const anyWrites = fc.array(anyWrite, { minLength: 5, maxLength: 25 });
      await fc.assert(
        fc.asyncProperty(anyWrites, async (writes) => {
          for (const write of writes.flat()) await observer.query(write);
          expect(await stored(observer)).to.deep.equal(await computed(observer));
        }),
        { numRuns: 25, endOnFailure: true },
      );
    });

    it('equal the sums after two processes have recorded orders of one affiliate at the same time', async () => {
      const url = await engine.freshUrl();
      const inside = await engine.observe(url);
      await insertOwners(inside, 1, [1, 1]);
      const context = { program: simpleProgram, now: at('2026-11-02T07:00:00Z'), userId: 0, hashVisitor: String };
      const sellAll = async (couponId: number): Promise<void> => {
        const database = await engine.open({ url });
        for (let orderId = couponId; orderId <= 20; orderId += 2)
          await database.write((transaction) => recordOrders(transaction, [order({ orderId, couponId })], context));
      };
      await Promise.all([sellAll(1), sellAll(2)]);
      expect(await stored(inside)).to.deep.equal(await computed(inside));
      expect(numbers(await inside.query('select orders_count, commission_minor from affiliate_totals'))).to.deep.equal([
        { orders_count: 20, commission_minor: 20_000 },
      ]);
    });

    it('have a new version after every write to orders, clicks and owners', async () => {
      const version = async () => (await observer.query<{ version: unknown }>('select version from program_totals'))[0]?.version;
      const writes = [
        sell(1, 1, 1),
        sell(1, 1, 0),
        click(1, 1),
        click(1, 0),
        ['update coupons set user_id = 3 where id = 1'],
        ['update coupons set user_id = null where id = 1'],
      ];
      const versions = [await version()];
      for (const write of writes) {
        for (const statement of write) await observer.query(statement);
        versions.push(await version());
      }
      expect([...new Set(versions)]).to.deep.equal(versions);
    });

    it('follow a coupon whose owner is deleted', async () => {
      for (const write of sell(1, 4, 1)) await observer.query(write);
      if (engine.name === 'sqlite') await observer.query('pragma foreign_keys = on');
      await observer.query('delete from users where id = (select user_id from coupons where id = 1)');
      expect(await observer.query('select user_id from coupons where id = 1')).to.deep.equal([{ user_id: null }]);
      expect(await stored(observer)).to.deep.equal(await computed(observer));
    });
  });
});
