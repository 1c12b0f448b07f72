import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { createVisitorHasher, recordClicks } from '../../domain/clicks/record.ts';
import type { Repositories } from '../../domain/repositories.ts';
import { buildProgram } from '../../site/program.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { newCoupon } from '../db/samples.ts';
import { forEachEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';

const context = { program: buildProgram(buildSettings({}).settings), hashVisitor: createVisitorHasher('a master key for tests') };
const hour = 3_600_000;
const newYear = { from: '1969-12-30', to: '1970-01-30' };
const october = { from: '2026-10-01', to: '2026-10-31' };

forEachEngine((engine) => {
  if (engine.name !== 'sqlite') return;
  describe('the query plans of clicks and reports', () => {
    const statements: string[] = [];
    const database = suiteFixture(() => engine.open({ onStatement: (sql) => statements.push(sql) }));
    const observer = suiteFixture(() => engine.observe(database.url));
    let couponId: number;
    before(async () => {
      couponId = await database.write(({ couponTerms }) => couponTerms.insert(newCoupon(), null));
      const clicks = Array.from({ length: 50 }, (_, at) => ({ couponId, clickedAt: at * hour, visitor: 'one' }));
      await database.write((transaction) => recordClicks(transaction, clicks, context));
    });
    const planOf = async (statement: string) =>
      (await observer.query<{ detail: string }>(`explain query plan ${statement}`)).map(({ detail }) => detail);

    const plansOf = async (table: RegExp, work: Parameters<Database['write']>[0]): Promise<string[]> => {
      statements.length = 0;
      await database.write(work);
      const plans = await Promise.all(statements.filter((sql) => table.test(sql)).map(planOf));
      return plans.flat().filter((detail) => table.test(detail));
    };

    it('count clicks and distinct visitors with two statements, by key, without counting clicks', async () => {
      const steps = ['01', '08', '15'].map((day) => ({ from: `2026-10-${day}`, to: `2026-10-${day}` }));
      for (const filter of [
        { couponId, campaign: null },
        { couponId, campaign: 'autumn' },
        { couponId: null, campaign: null },
      ]) {
        const plans = await plansOf(/\bvisitor_\w+/, ({ clicks }) => clicks.figures(filter, [newYear, ...steps]));
        const key = 'USING PRIMARY KEY (coupon_id=? AND campaign=? AND';
        const days = `SEARCH visitor_counts ${key} day>? AND day<?)`;
        const returns = `SEARCH visitor_returns ${key} grain=? AND earlier=? AND later>? AND later<?)`;
        expect(plans).to.deep.equal(filter.campaign === null ? [days, returns] : [days]);
      }
    });

    it('find the first and the last click at the ends of a key', async () => {
      const plans = await plansOf(/\bvisitor_counts\b/, ({ clicks }) =>
        clicks.extent({ couponId, campaign: null }, { from: null, to: null }),
      );
      expect(plans).to.deep.equal(Array(2).fill('SEARCH visitor_counts USING PRIMARY KEY (coupon_id=? AND campaign=?)'));
    });

    it('find the visits before and after a new one by key', async () => {
      const click = { couponId, clickedAt: 0, visitor: 'new' };
      const plans = await plansOf(/\bother\b/, (transaction) => recordClicks(transaction, [click], context));
      const key = 'SEARCH other USING PRIMARY KEY (visitor_hash=? AND coupon_id=? AND campaign=? AND';
      expect(plans).to.deep.equal([`${key} day<?)`, `${key} day>?)`]);
    });

    it('sum a range from the days of the program, whatever number of coupons it has', async () => {
      for (const work of [
        ({ reports }: Repositories) => reports.sales(october),
        ({ reports }: Repositories) => reports.clicks(october),
        ({ reports }: Repositories) => reports.byDay(october),
        ({ reports }: Repositories) => reports.days(october),
      ]) {
        const plans = await plansOf(/\b(coupon|click|program)_days\b/, work);
        expect(plans).to.deep.equal(['SEARCH program_days USING PRIMARY KEY (day>? AND day<?)']);
      }
    });

    it('rank a range that is summed again, and read days to rank them, from an index only', async () => {
      const ranked = await plansOf(/\bcoupon_days\b/, ({ reports }) => reports.best(october, 10));
      expect(ranked.join()).to.match(/^SEARCH coupon_days USING COVERING INDEX coupon_days_of_day/);
      const read = await plansOf(/\bcoupon_days\b/, ({ reports }) => reports.earnings(['2026-10-01', '2026-10-02']));
      expect(read.join()).to.match(/^SEARCH coupon_days USING COVERING INDEX coupon_days_of_day \(day=\?/);
    });

    it('read only the coupons and days of the top affiliates', async () => {
      const plans = await plansOf(/\b(coupons|coupon_days)\b/, ({ reports }) => reports.salesOf([1, 2, 3], october));
      expect(plans.map((plan) => plan.split(' (')[0]?.split(' USING')[0])).to.deep.equal(['SEARCH coupons', 'SEARCH coupon_days']);
      expect(plans[1]).to.match(/\(coupon_id=\? AND day>\? AND day<\?\)$/);
    });

    it('read neither coupons nor days nor orders nor clicks for a report of all time', async () => {
      const everything = { from: null, to: null };
      statements.length = 0;
      await database.read(async ({ reports }) => {
        await reports.sales(everything);
        await reports.best(everything, 10);
        await reports.clicks(everything);
      });
      const tables = statements.flatMap((sql) => [...sql.matchAll(/\b(?:from|join) (\w+)/g)].map(([, table]) => table));
      expect(tables).to.include.members(['program_totals', 'affiliate_totals']);
      expect(tables).not.to.include.oneOf(['orders', 'clicks', 'coupons', 'coupon_totals', 'coupon_days', 'click_days', 'program_days']);
    });
  });
});
