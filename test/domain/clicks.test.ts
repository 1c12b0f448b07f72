import { expect } from 'chai';
import type { IncomingClick } from '../../domain/clicks/incoming.ts';
import { createVisitorHasher, recordClicks } from '../../domain/clicks/record.ts';
import { recordOrders } from '../../domain/order-recording/record.ts';
import { buildProgram } from '../../site/program.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { newCoupon } from '../db/samples.ts';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { seededRandom } from '../support/random.ts';

const program = buildProgram(buildSettings({}).settings);
const hashVisitor = createVisitorHasher('a master key for tests');
const hour = 3_600_000;
const start = Date.parse('2026-10-01T00:00:00Z');

forEachEngine((engine) => {
  describe('recording clicks', () => {
    const database = testFixture(() => engine.open());
    const observer = testFixture(() => engine.observe(database.url));
    let couponId: number;
    beforeEach(async () => {
      couponId = await database.write(({ couponTerms }) => couponTerms.insert(newCoupon({ code: 'TRAIL10' }), null));
    });

    const record = (...clicks: IncomingClick[]) =>
      database.write((transaction) => recordClicks(transaction, clicks, { program, hashVisitor }));
    const click = (given: Partial<IncomingClick> = {}): IncomingClick => ({ couponId, clickedAt: start, visitor: 'one', ...given });
    const ordered = (orderId: number, placedAt: number, visitor: string) => {
      const amounts = { total: 100, discount: 0, shipping: 0, tax: 0, refunded: 0, quantity: 1, status: 'completed' } as const;
      return database.write((transaction) =>
        recordOrders(transaction, [{ orderId, couponId, placedAt, visitor, ...amounts }], { program, hashVisitor, now: start, userId: 0 }),
      );
    };
    const converted = async (): Promise<string[]> => {
      const rows = await observer.query<Record<string, unknown>>(
        'select clicked_at, converted_order_id from clicks where converted_order_id is not null order by clicked_at',
      );
      return rows.map((row) => `${(Number(row.clicked_at) - start) / hour} h → ${row.converted_order_id}`);
    };

    it('records the same click once, however often it is sent', async () => {
      const clicks = [click(), click({ visitor: 'two' }), click({ clickedAt: start + 1 }), click()];
      expect(await record(...clicks)).to.deep.equal({ recorded: 3, refusals: [null, null, null, null], isNew: [true, true, true, false] });
      expect(await record(...clicks)).to.deep.equal({
        recorded: 0,
        refusals: [null, null, null, null],
        isNew: [false, false, false, false],
      });
      const [total] = await observer.query<Record<string, unknown>>('select clicks, conversions from click_totals');
      expect([total?.clicks, total?.conversions].map(Number)).to.deep.equal([3, 0]);
    });

    it('finds the coupon by its code, ignoring case', async () => {
      expect((await record(click({ couponId: undefined, couponCode: 'trail10' }))).recorded).to.equal(1);
      const [row] = await observer.query<{ coupon_id: unknown }>('select coupon_id from clicks');
      expect(Number(row?.coupon_id)).to.equal(couponId);
    });

    it('rejects an invalid click with a sentence, and records the others', async () => {
      await database.write(async ({ couponTerms }) => {
        for (const code of ['TWICE', 'Twice']) await couponTerms.insert(newCoupon({ code }), null);
        await couponTerms.insert(newCoupon({ code: 'DRAFT', status: 'draft' }), null);
      });
      const bad: [Partial<IncomingClick>, RegExp][] = [
        [{ couponId: undefined }, /names no coupon/],
        [{ couponId: 4711 }, /There is no coupon 4711/],
        [{ couponId: 1.5 }, /There is no coupon 1\.5/],
        [{ couponId: undefined, couponCode: 'NONE' }, /no published coupon with the code NONE/],
        [{ couponId: undefined, couponCode: 'DRAFT' }, /no published coupon/],
        [{ couponId: undefined, couponCode: 'TWICE' }, /More than one published coupon/],
        [{ clickedAt: Number.NaN }, /date/],
        [{ clickedAt: Date.parse('1969-12-31') }, /date/],
        [{ visitor: '' }, /names no visitor/],
        [{ visitor: 'v'.repeat(201) }, /visitor is longer than 200/],
        [{ campaign: 'c'.repeat(101) }, /campaign is longer than 100/],
        [{ referrer: 'https://shop.example/\0' }, /referrer contains a character/],
        [{ landingPage: 'half a \ud83d' }, /landing page contains a character/],
      ];
      const batch = bad.flatMap(([given], at) => [click(given), click({ visitor: `good ${at}` })]);
      const { recorded, refusals } = await record(...batch);
      expect(recorded).to.equal(bad.length);
      for (const [at, [, sentence]] of bad.entries()) {
        expect(refusals[2 * at]).to.match(sentence);
        expect(refusals[2 * at + 1]).to.equal(null);
      }
    });

    it('maintains counts by day and in total that equal counting the clicks', async () => {
      const random = seededRandom(7);
      const other = await database.write(({ couponTerms }) => couponTerms.insert(newCoupon({ code: 'OTHER' }), null));
      for (let batch = 0; batch < 4; batch += 1) {
        const clicks = Array.from({ length: 60 }, () =>
          click({
            couponId: random.pick([couponId, other]),
            clickedAt: start + random.below(72) * hour,
            visitor: String(random.below(6)),
          }),
        );
        await record(...clicks);
        for (let order = 1; order <= 3; order += 1)
          await ordered(batch * 10 + order, start + random.below(72) * hour, String(random.below(6)));
      }
      const kept = 'select coupon_id, day, clicks, conversions from click_days order by 1, 2';
      const counted =
        'select coupon_id, day, count(*) as clicks, count(converted_order_id) as conversions from clicks group by 1, 2 order by 1, 2';
      const days = await observer.query<Record<string, unknown>>(kept);
      expect(days).to.deep.equal(await observer.query(counted));
      expect(days.some(({ conversions }) => Number(conversions) > 0)).to.equal(true);
      const totals = await observer.query('select coupon_id, clicks, conversions from click_totals order by 1');
      const sums =
        'select coupon_id, cast(sum(clicks) as bigint) as clicks, cast(sum(conversions) as bigint) as conversions from click_days group by 1 order by 1';
      expect(totals).to.deep.equal(await observer.query(sums));
    });

    it('converts the last click before the order, within the window, and each click once', async () => {
      await record(click(), click({ clickedAt: start + hour }), click({ clickedAt: start + 3 * hour }));
      await ordered(1, start + 2 * hour, 'one');
      await ordered(2, start + 2 * hour, 'one');
      await ordered(3, start + 2 * hour, 'two');
      expect(await converted()).to.deep.equal(['1 h → 1']);
    });

    it('converts a click that is recorded after its order, where none has led to the order so far', async () => {
      await ordered(1, start + 2 * hour, 'one');
      await ordered(2, start + 40 * 24 * hour, 'two');
      await record(click({ clickedAt: start + hour }), click(), click({ clickedAt: start + 3 * hour }), click({ visitor: 'two' }));
      expect(await converted()).to.deep.equal(['1 h → 1']);
      await record(click({ clickedAt: start + 1.5 * hour }));
      expect(await converted()).to.deep.equal(['1 h → 1']);
    });
  });
});
