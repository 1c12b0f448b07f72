import fc from 'fast-check';
import { systemCaller } from '../../cli/operator.ts';
import { explainOrder } from '../../domain/explanation/explain.ts';
import type { IncomingOrder } from '../../domain/order-recording/incoming.ts';
import { orderStatuses } from '../../domain/orders/order.ts';
import type { Program, Rates } from '../../domain/program.ts';
import { type Engine, onAnyEngine } from '../support/engines.ts';
import { expectExplained } from './invariants.ts';
import { at, day, order, simpleProgram } from './samples.ts';
import { Shop } from './shop.ts';

// PROVE_EXPLANATIONS: number of generated stores on each engine, with 30 orders each; 2 by default.
const numRuns = Number(process.env['PROVE_EXPLANATIONS'] ?? 2);
const ordersOfStore = 30;

const anyRates: fc.Arbitrary<Rates> = fc.record({
  percentThousandths: fc.oneof(fc.constantFrom(0, 10_000, 12_500, 33_333, 100_000), fc.integer({ min: 0, max: 100_000 })),
  fixedPerOrder: fc.constantFrom(0, 0, 1, 199, 1005),
  fixedPerProduct: fc.constantFrom(0, 0, 1, 25),
});

const anyProgram: fc.Arbitrary<Program> = fc
  .record({
    currency: fc.constantFrom('JPY', 'EUR', 'KWD'),
    rates: anyRates,
    clearingDays: fc.constantFrom(0, 2),
    lifetime: fc.boolean(),
    multiLevelThousandths: fc.constantFrom([], [12_345], [5000, 33_333]),
  })
  .map(({ lifetime, ...rest }) => ({ ...simpleProgram, ...rest, attribution: { windowDays: 2, lifetime } }));

/** An order, and what changes of it later. */
const anyHistory = fc.record({
  coupon: fc.integer({ min: 1, max: 3 }),
  net: fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 5_000_000_000 })),
  discount: fc.integer({ min: 0, max: 3000 }),
  quantity: fc.integer({ min: 0, max: 9 }),
  hoursAgo: fc.integer({ min: 0, max: 90 }),
  visitor: fc.constantFrom(undefined, 'ann', 'bob', 'eve'),
  changes: fc.array(
    fc.record({
      status: fc.constantFrom(...orderStatuses, 'completed' as const, 'completed' as const),
      refundedPart: fc.constantFrom(0, 0, 1 / 3, 0.37, 0.999, 1),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

type History = typeof anyHistory extends fc.Arbitrary<infer Generated> ? Generated : never;

const versionOf = (history: History, index: number, turn: number): IncomingOrder | undefined => {
  const { coupon, net, discount, quantity, hoursAgo, visitor, changes } = history;
  const change = changes[turn];
  const placedAt = at('2026-10-26T12:00:00Z') - hoursAgo * 3_600_000;
  return (
    change && {
      ...order({
        orderId: index + 1,
        couponId: coupon,
        total: net + discount,
        discount,
        quantity,
        placedAt,
        visitor,
        status: change.status,
      }),
      refunded: Math.floor(net * change.refundedPart),
    }
  );
};

/** Three affiliates in one upline: one with the rates of the store, one with others, one with some of its own. Two visitors have clicked. */
async function openStore(engine: Engine, program: Program, own: Rates): Promise<Shop> {
  const shop = await Shop.open(engine, program);
  shop.now = at('2026-10-26T13:00:00Z');
  const top = await shop.affiliate('TOP');
  const middle = await shop.affiliate('MIDDLE', { ...own, parent: top.userId });
  await shop.affiliate('SELLER', { fixedPerOrder: own.fixedPerOrder, parent: middle.userId });
  const click = { campaign: 'link', referrer: null, landingPage: null };
  const clicks = [
    { ...click, couponId: 3, day: '2026-10-23', clickedAt: at('2026-10-23T12:00:00Z'), visitorHash: 'hash of ann' },
    { ...click, couponId: 2, day: '2026-10-25', clickedAt: at('2026-10-25T12:00:00Z'), visitorHash: 'hash of ann' },
    { ...click, couponId: 1, day: '2026-10-25', clickedAt: at('2026-10-25T12:00:00Z'), visitorHash: 'hash of bob' },
  ];
  await shop.database.write((transaction) => transaction.clicks.insert(clicks));
  return shop;
}

onAnyEngine((engine) => {
  describe('the explanation of any order', () => {
    it('recomputes the stored commission and shares, finds what was credited, and lists the movements that led to it', async () => {
      const histories = fc.array(anyHistory, { minLength: ordersOfStore, maxLength: ordersOfStore });
      await fc.assert(
        fc.asyncProperty(anyProgram, anyRates, histories, async (program, own, generated) => {
          const shop = await openStore(engine, program, own);
          for (const turn of [0, 1, 2]) {
            await shop.record(...generated.flatMap((history, index) => versionOf(history, index, turn) ?? []));
            shop.now += day;
            await shop.grant(10);
          }
          await shop.database.read(async (db) => {
            for (const { orderId, couponId } of await db.orders.byIds(generated.map((_, index) => index + 1))) {
              const reader = { caller: systemCaller, couponId, levels: { upline: false } };
              expectExplained(await explainOrder(db, reader, orderId, program), program.currency);
            }
          });
          await shop.close();
        }),
        { numRuns, endOnFailure: true },
      );
    }).timeout(180_000 + numRuns * 5000);
  });
});
