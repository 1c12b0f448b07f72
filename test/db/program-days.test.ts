import { expect } from 'chai';
import fc from 'fast-check';
import type { Database } from '../../db/database.ts';
import type { DayRange } from '../../domain/dates.ts';
import { Leaderboard } from '../../domain/reports/leaderboard.ts';
import type { AffiliateSales, ReportRepository } from '../../domain/reports/repository.ts';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { gate } from './gate.ts';
import { insertOwners } from './samples.ts';

// The stored sums of each day, and the ranking of affiliates over any days, compared with sums over the orders and clicks.

const columns = ['coupons_count', 'orders_count', 'sales_minor', 'discount_minor', 'commission_minor', 'clicks', 'conversions'];
const days = ['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-02', '2026-02-28', '2026-03-01'];

const coupon = fc.integer({ min: 1, max: 6 });
const day = fc.constantFrom(...days);
const count = fc.integer({ min: 0, max: 3 });
const amount = fc.integer({ min: 0, max: 4 });

/** A day without sales has no commission either. */
const sold = (orders: number, commission: number): string => `${orders}, ${orders * 7}, ${orders}, ${orders === 0 ? 0 : commission}`;

/** Any write to the source tables, also from outside the service. */
const anyWrite: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(coupon, day, count, amount).map(
    ([id, on, orders, commission]) => `
      insert into coupon_days (coupon_id, day, orders_count, sales_minor, discount_minor, commission_minor) values (${id}, '${on}', ${sold(orders, commission)})
      on conflict (coupon_id, day) do update set orders_count = excluded.orders_count, sales_minor = coupon_days.sales_minor + 1,
        discount_minor = excluded.discount_minor, commission_minor = excluded.commission_minor`,
  ),
  fc.tuple(coupon, day, day).map(
    ([id, from, to]) => `update coupon_days set day = '${to}' where coupon_id = ${id} and day = '${from}'
      and not exists (select 1 from coupon_days as there where there.coupon_id = ${id} and there.day = '${to}')`,
  ),
  fc.tuple(coupon, coupon).map(([one, other]) => `delete from coupon_days where coupon_id in (${one}, ${other})`),
  fc.tuple(day, count).map(([on, more]) => `update coupon_days set orders_count = orders_count + ${more} where day >= '${on}'`),
  fc.tuple(coupon, day, count).map(
    ([id, on, clicks]) => `
      insert into click_days values (${id}, '${on}', ${clicks}, 1)
      on conflict (coupon_id, day) do update set clicks = click_days.clicks + excluded.clicks, conversions = click_days.conversions + 1`,
  ),
  coupon.map((id) => `delete from click_days where coupon_id = ${id}`),
  fc
    .tuple(coupon, fc.constantFrom('null', '1', '2', '3', '4'))
    .map(([id, owner]) => `update coupons set user_id = ${owner} where id = ${id}`),
);

const anyRange: fc.Arbitrary<DayRange> = fc
  .tuple(fc.option(day), fc.option(day))
  .map(([one, other]) => (one !== null && other !== null && one > other ? { from: other, to: one } : { from: one, to: other }));

type Numbers = Record<string, string | number>;
const numbers = (rows: object[]): Numbers[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, name === 'day' ? String(value) : Number(value)])));

const sums = columns.map((column) => `sum(${column}) as ${column}`).join(', ');
const any = columns.map((column) => `sum(${column}) <> 0`).join(' or ');
const computed = `
  select day, ${sums} from (
    select day, case when orders_count > 0 then 1 else 0 end as coupons_count, orders_count, sales_minor, discount_minor, commission_minor,
      0 as clicks, 0 as conversions from coupon_days
    union all select day, 0, 0, 0, 0, 0, clicks, conversions from click_days
  ) as both_kinds group by day having ${any} order by day`;
const stored = `select day, ${sums} from program_days group by day having ${any} order by day`;

describe('the stored days of the program', () => {
  forEachEngine((engine) => {
    const database = testFixture(() => engine.open());
    const observer = testFixture(() => engine.observe(database.url));
    beforeEach(() => insertOwners(observer, 4, [1, 2, 3, 4, 1, null]));

    const earn = (id: number, on: string, commission: number): Promise<unknown> =>
      observer.query(`insert into coupon_days (coupon_id, day, orders_count, commission_minor) values (${id}, '${on}', 1, ${commission})`);
    const always: DayRange = { from: '2026-01-01', to: '2026-12-31' };
    const winners = (of: AffiliateSales[]): [number, number][] => of.map(({ userId, commission }) => [userId, commission]);
    const bestIn = (leaderboard: Leaderboard, range = always, from: Database = database): Promise<AffiliateSales[]> =>
      from.read(({ reports }) => leaderboard.best(reports, range, 3));

    it('equal the sums over orders and clicks after any writes to them', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyWrite, { minLength: 5, maxLength: 25 }), async (writes) => {
          for (const write of writes) await observer.query(write);
          expect(numbers(await observer.query(stored))).to.deep.equal(numbers(await observer.query(computed)));
        }),
        { numRuns: 25, endOnFailure: true },
      );
    });

    it('rank affiliates over any range as the database does, after any writes, with a cache for all days and for three', async () => {
      const [roomy, narrow] = [new Leaderboard(), new Leaderboard(3)];
      const questions = fc.array(fc.tuple(anyWrite, anyRange, fc.integer({ min: 1, max: 5 })), { minLength: 5, maxLength: 25 });
      await fc.assert(
        fc.asyncProperty(questions, async (asked) => {
          for (const [write, range, top] of asked) {
            await observer.query(write);
            // Of all time it is kept elsewhere.
            if (range.from === null && range.to === null) continue;
            await database.read(async ({ reports }) => {
              const expected = await reports.best(range, top);
              expect(await roomy.best(reports, range, top)).to.deep.equal(expected);
              expect(await narrow.best(reports, range, top)).to.deep.equal(expected);
            });
          }
        }),
        { numRuns: 20, endOnFailure: true },
      );
    });

    it('are read once, and again when their orders have changed; owners when a coupon was reassigned', async () => {
      const leaderboard = new Leaderboard();
      const read: unknown[] = [];
      const noting = (reports: ReportRepository): ReportRepository => ({
        ...reports,
        earnings: (given) => {
          read.push(given.toSorted());
          return reports.earnings(given);
        },
        ownersOf: (given) => {
          read.push(given.toSorted());
          return reports.ownersOf(given);
        },
        best: () => expect.fail('The database added it up.'),
      });
      const readFor = async (): Promise<unknown[]> => {
        await database.read(({ reports }) => leaderboard.best(noting(reports), always, 3));
        return read.splice(0);
      };
      for (const on of days) await earn(1, on, 5);
      expect(await readFor()).to.deep.equal([days, [1]]);
      expect(await readFor()).to.deep.equal([]);
      await earn(2, '2026-02-01', 5);
      await observer.query(`insert into click_days values (1, '2026-02-02', 1, 0)`);
      expect(await readFor()).to.deep.equal([['2026-02-01'], [2]]);
      await observer.query('update coupons set user_id = 3 where id = 1');
      expect(await readFor()).to.deep.equal([[1, 2]]);
    });

    it('rank by the snapshot of each read, also when another read has cached newer days meanwhile', async () => {
      const leaderboard = new Leaderboard();
      await earn(1, '2026-02-01', 5);
      const [begun, written] = [gate(), gate()];
      const older = database.read(async ({ reports }) => {
        await reports.version();
        begun.open();
        await written.opened;
        return leaderboard.best(reports, always, 3);
      });
      await begun.opened;
      await earn(2, '2026-02-01', 9);
      const expected = [
        [2, 9],
        [1, 5],
      ];
      expect(winners(await bestIn(leaderboard))).to.deep.equal(expected);
      written.open();
      expect(winners(await older)).to.deep.equal([[1, 5]]);
      expect(winners(await bestIn(leaderboard))).to.deep.equal(expected);
    });

    it('show another process the changes at once', async () => {
      const other = await engine.open({ url: database.url });
      const leaderboard = new Leaderboard();
      await earn(1, '2026-02-01', 5);
      expect(winners(await bestIn(leaderboard, always, other))).to.deep.equal([[1, 5]]);
      await database.write(({ couponTerms }) => couponTerms.assign(1, 4, 0));
      expect(winners(await bestIn(leaderboard, always, other))).to.deep.equal([[4, 5]]);
    });

    it('leave out a coupon whose owner is deleted', async () => {
      const leaderboard = new Leaderboard();
      await earn(1, '2026-02-01', 5);
      expect(winners(await bestIn(leaderboard))).to.deep.equal([[1, 5]]);
      if (engine.name === 'sqlite') await observer.query('pragma foreign_keys = on');
      await observer.query('delete from users where id = 1');
      expect(await bestIn(leaderboard)).to.deep.equal([]);
    });

    it('rank no affiliate where none has orders', async () => {
      expect(await bestIn(new Leaderboard())).to.deep.equal([]);
    });
  });
});
