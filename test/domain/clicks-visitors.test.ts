import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { listSpans } from '../../db/repositories/click-figures.ts';
import { createVisitorHasher, recordClicks } from '../../domain/clicks/record.ts';
import type { ClickFigures, CouponClicks } from '../../domain/clicks/repository.ts';
import { type DayRange, dayAfter } from '../../domain/dates.ts';
import { splitRange } from '../../domain/figures/intervals.ts';
import { recordOrders } from '../../domain/order-recording/record.ts';
import { buildProgram } from '../../site/program.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { newCoupon } from '../db/samples.ts';
import { forEachEngine, type Observer } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { type Random, seededRandom } from '../support/random.ts';

const program = buildProgram(buildSettings({}).settings);
const hashVisitor = createVisitorHasher('a master key for tests');
const dayLength = 86_400_000;
const firstDay = Date.parse('2025-11-20T12:00:00Z');
const dayCount = 130;
const campaigns = [undefined, 'autumn', 'spring'];

/** Few visitors who return often, within a month and months later, in no order. */
const randomClicks = (random: Random, couponIds: readonly number[], count: number) =>
  Array.from({ length: count }, () => ({
    couponId: random.pick(couponIds),
    clickedAt: firstDay + random.below(dayCount) * dayLength + random.below(5),
    visitor: String(random.below(8)),
    campaign: random.pick(campaigns),
  }));

const randomDay = (random: Random): string =>
  new Date(firstDay + (random.below(dayCount + 20) - 10) * dayLength).toISOString().slice(0, 10);

function randomRange(random: Random): DayRange {
  const [from, to] = [randomDay(random), randomDay(random)].toSorted() as [string, string];
  return { from: random.chance(0.1) ? null : from, to: random.chance(0.1) ? null : to };
}

interface ClickRow {
  coupon_id: unknown;
  campaign: string | null;
  day: string;
  visitor_hash: string;
  converted_order_id: unknown;
}

function countFromClicks(rows: readonly ClickRow[], { couponId, campaign }: CouponClicks, { from, to }: DayRange): ClickFigures {
  const matching = rows.filter(
    (row) =>
      (couponId === null || Number(row.coupon_id) === couponId) &&
      (campaign === null || row.campaign === campaign) &&
      (from === null || row.day >= from) &&
      (to === null || row.day <= to),
  );
  return {
    clicks: matching.length,
    uniqueClicks: new Set(matching.map((row) => row.visitor_hash)).size,
    conversions: matching.filter((row) => row.converted_order_id !== null).length,
  };
}

async function expectExact(database: Database, { query }: Observer, couponIds: readonly number[], random: Random): Promise<void> {
  const rows = await query<ClickRow>('select * from clicks');
  const wholeMonths = { from: '2025-12-01', to: '2026-02-28' };
  const ranges = [wholeMonths, { from: null, to: null }, ...Array.from({ length: 60 }, () => randomRange(random))];
  const filters = [null, ...couponIds].flatMap((couponId) =>
    [null, 'autumn', 'spring', 'none'].map((campaign) => ({ couponId, campaign })),
  );
  for (const filter of filters) {
    const figures = await database.read(({ clicks }) => clicks.figures(filter, ranges));
    const expected = ranges.map((range) => countFromClicks(rows, filter, range));
    for (const [place, range] of ranges.entries())
      expect(figures[place], JSON.stringify({ ...filter, ...range })).to.deep.equal(expected[place]);
  }
}

const addCoupons = (database: Database): Promise<number[]> =>
  database.write(async ({ couponTerms }) => [
    await couponTerms.insert(newCoupon({ code: 'TRAIL10' }), null),
    await couponTerms.insert(newCoupon({ code: 'OTHER' }), null),
  ]);

forEachEngine((engine) => {
  describe('distinct visitors', () => {
    const database = testFixture(() => engine.open());
    const observer = testFixture(() => engine.observe(database.url));
    const couponIds = testFixture(() => addCoupons(database));

    const record = (random: Random, count: number, { connection = database as Database, of = couponIds } = {}) =>
      connection.write((transaction) => recordClicks(transaction, randomClicks(random, of, count), { program, hashVisitor }));
    const order = (orderId: number, random: Random) => {
      const amounts = { total: 100, discount: 0, shipping: 0, tax: 0, refunded: 0, quantity: 1, status: 'completed' } as const;
      const [placedAt, visitor] = [firstDay + random.below(dayCount) * dayLength, String(random.below(8))];
      const context = { program, hashVisitor, now: firstDay, userId: 0 };
      return database.write((transaction) =>
        recordOrders(transaction, [{ orderId, couponId: couponIds[0], placedAt, visitor, ...amounts }], context),
      );
    };

    it('equal a count of the clicks for every filter and range, after clicks in any order and in batches of any size', async () => {
      const random = seededRandom(16);
      for (let batch = 1; batch <= 12; batch += 1) {
        await record(random, random.pick([1, 1, 2, 40]));
        await order(batch, random);
      }
      await expectExact(database, observer, couponIds, random);
      const [count] = await observer.query<{ n: unknown }>('select count(converted_order_id) as n from clicks');
      expect(Number(count?.n)).to.be.greaterThan(2);
    });

    it('stay exact when several writers record the same visitors at the same time', async () => {
      const other = await engine.open({ url: database.url });
      // Writers of one coupon would wait for each other anyway.
      const writers = [database, other, database, other].map((connection, seed) => ({ connection, random: seededRandom(seed), seed }));
      await Promise.all(
        writers.map(async ({ connection, random, seed }) => {
          for (let batch = 0; batch < 5; batch += 1) await record(random, 3, { connection, of: couponIds.slice(seed % 2, (seed % 2) + 1) });
        }),
      );
      await expectExact(database, observer, couponIds, seededRandom(1));
    });
  });
});

describe('the cost of distinct visitors', () => {
  const daysOf = ({ from, to }: { from: string; to: string }): string[] => {
    const days: string[] = [];
    for (let day = from; day <= to; day = dayAfter(day)) days.push(day);
    return days;
  };

  /** The most rows that the spans can have: one for each pair of units, whatever number of clicks there is. */
  function countRows(range: { from: string; to: string }): number {
    const days = daysOf(range);
    const months = [...new Set(days.map((day) => day.slice(0, 7)))];
    const between = (units: string[], starts: string, ends: string) => units.indexOf(ends) - units.indexOf(starts) + 1;
    return listSpans(days, range)
      .map(([grain, , starts, ends]) => between(grain.endsWith('d') ? days : months, starts, ends))
      .reduce((sum, rows) => sum + rows, 0);
  }

  it('is bounded by the days and months of the range, not by its clicks', () => {
    expect(countRows({ from: '2023-01-02', to: '2026-01-30' })).to.be.lessThan(5_000);
    expect(countRows({ from: '2016-01-02', to: '2026-01-30' })).to.be.lessThan(17_000);
    expect(countRows({ from: '2016-01-01', to: '2025-12-31' })).to.equal((120 * 121) / 2);
    expect(countRows({ from: '2026-01-05', to: '2026-01-05' })).to.equal(0);
  });

  it('is small for every step of a series', () => {
    const steps = (interval: 'week' | 'month') => splitRange({ from: '2024-01-01', to: '2025-12-31' }, interval);
    for (const step of steps('week')) expect(countRows(step), step.from).to.be.at.most(7 * 6);
    for (const step of steps('month')) expect(countRows(step), step.from).to.equal(1);
  });
});
