import { expect } from 'chai';
import fc from 'fast-check';
import type { IncomingOrder } from '../../domain/order-recording/incoming.ts';
import { orderStatuses } from '../../domain/orders/order.ts';
import { findTransition, type PublicStatus } from '../../domain/payouts/payout.ts';
import type { Program } from '../../domain/program.ts';
import { type Engine, onAnyEngine } from '../support/engines.ts';
import { expectConsistent } from './invariants.ts';
import { changedPayout, requestedPayout } from './payouts.ts';
import { at, day, order, simpleProgram } from './samples.ts';
import { Shop } from './shop.ts';

// Few orders, coupons, visitors and days, so that generated orders collide.
const anyOrder: fc.Arbitrary<IncomingOrder> = fc
  .record({
    orderId: fc.integer({ min: 1, max: 9 }),
    coupon: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 4 }),
    status: fc.constantFrom(...orderStatuses, 'completed' as const, 'completed' as const),
    net: fc.integer({ min: 0, max: 30_000 }),
    discount: fc.integer({ min: 0, max: 3000 }),
    refundedPart: fc.constantFrom(0, 0, 0, 0.37, 1),
    quantity: fc.integer({ min: 0, max: 3 }),
    daysAgo: fc.integer({ min: 0, max: 3 }),
    visitor: fc.constantFrom(undefined, 'ann', 'bob'),
    campaign: fc.constantFrom(undefined, undefined, 'autumn'),
  })
  .map(({ coupon, net, discount, refundedPart, daysAgo, orderId, ...rest }) => ({
    ...order({ orderId, total: net + discount, discount, refunded: Math.floor(net * refundedPart) }),
    // Mostly the same coupon for an order, because another is rejected after the first recording.
    couponId: coupon === undefined ? (orderId % 4) + 1 : coupon,
    placedAt: at('2026-10-25T12:00:00Z') - daysAgo * day,
    ...rest,
  }));

const eachOnce = (orders: readonly IncomingOrder[]): IncomingOrder[] => [...new Map(orders.map((one) => [one.orderId, one])).values()];

const anyProgram: fc.Arbitrary<Program> = fc
  .record({ clearingDays: fc.constantFrom(0, 2), lifetime: fc.boolean(), tiers: fc.boolean() })
  .map(({ clearingDays, lifetime, tiers }) => ({
    ...simpleProgram,
    clearingDays,
    attribution: { windowDays: 1, lifetime },
    multiLevelThousandths: tiers ? [12_345, 5000] : [],
  }));

type Turn =
  | { record: IncomingOrder[] }
  | { pass: number; grant: number }
  | { adjust: number; amount: number }
  | { pay: number; to: PublicStatus };

const anyTurn: fc.Arbitrary<Turn> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ record: fc.array(anyOrder, { minLength: 1, maxLength: 8 }).map(eachOnce) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      adjust: fc.integer({ min: 1, max: 4 }),
      amount: fc.integer({ min: -5000, max: 5000 }).filter((amount) => amount !== 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ pay: fc.integer({ min: 1, max: 4 }), to: fc.constantFrom('pending', 'created', 'paid', 'cancel') }),
  },
  { weight: 1, arbitrary: fc.record({ pass: fc.integer({ min: 0, max: 2 }), grant: fc.integer({ min: 1, max: 4 }) }) },
);

/** Four affiliates in one upline, with different rates; two visitors with clicks. */
async function openSampleShop(engine: Engine, program: Program): Promise<Shop> {
  const shop = await Shop.open(engine, program);
  shop.now = at('2026-10-26T12:00:00Z');
  let parent: number | undefined;
  for (const [index, percentThousandths] of [null, 12_500, 33_333, 0].entries()) {
    const above = parent === undefined ? {} : { parent };
    const fixed = index === 3 ? { fixedPerOrder: 199, fixedPerProduct: 1 } : {};
    ({ userId: parent } = await shop.affiliate(`CODE${index + 1}`, { percentThousandths, ...fixed, ...above }));
  }
  const click = { day: '2026-10-24', campaign: 'link', referrer: null, landingPage: null };
  await shop.database.write(({ clicks }) =>
    clicks.insert([
      { ...click, couponId: 2, clickedAt: at('2026-10-24T12:00:00Z'), visitorHash: 'hash of ann' },
      { ...click, couponId: 3, clickedAt: at('2026-10-25T11:00:00Z'), visitorHash: 'hash of bob' },
    ]),
  );
  return shop;
}

async function runTurn(shop: Shop, turn: Turn): Promise<void> {
  if ('record' in turn) {
    await shop.record(...turn.record);
    const before = await shop.everything();
    const again = await shop.record(...turn.record);
    for (const { outcome } of again) expect(outcome).not.to.be.oneOf(['recorded', 'changed']);
    expect(await shop.everything()).to.equal(before);
  } else if ('adjust' in turn) {
    await shop.adjust(turn.adjust, turn.amount / 100);
  } else if ('pay' in turn) {
    await payOrChange(shop, turn.pay, turn.to);
  } else {
    shop.now += turn.pass * day;
    await shop.grant(turn.grant);
  }
}

/** Changes the open payout of the coupon, or requests one if there is something to pay. */
async function payOrChange(shop: Shop, couponId: number, to: PublicStatus): Promise<void> {
  const open = await shop.database.query(({ payouts }) => payouts.openOf(couponId));
  const [, unpaid] = await shop.balances(couponId);
  if (open && findTransition(open.status, to, 'admin')) await changedPayout(shop, open, to);
  else if (!open && unpaid > 0) await requestedPayout(shop, await shop.ownerOf(couponId));
}

/** Everything that must not depend on the batches: all columns but the names of movements and the counts of writes. */
async function readState(shop: Shop): Promise<unknown> {
  const tables: Record<string, string> = {
    orders: 'select * from orders order by order_id',
    shares: 'select * from order_shares order by order_id, tier',
    links: 'select * from lifetime_links order by visitor_hash',
    coupons: 'select * from coupons order by id',
    days: 'select * from coupon_days where n_pending + n_processing + n_on_hold + n_completed + n_failed + n_cancelled + n_refunded > 0 order by coupon_id, day',
    events: 'select * from events order by id',
    clicks: 'select * from clicks order by id',
    ledger: 'select id, coupon_id, pool, amount_minor, reason, order_id, user_id, note, created_at from ledger order by id',
  };
  const found: Record<string, unknown> = {};
  for (const [name, sql] of Object.entries(tables)) found[name] = await shop.observer.query(sql);
  return found;
}

/** PROVE_ORDERS: number of sequences on each engine. */
const numberOfRuns = Number(process.env['PROVE_ORDERS'] ?? 8);

onAnyEngine((engine) => {
  const runs = { numRuns: numberOfRuns };

  describe('any sequence of orders, adjustments and payouts', () => {
    it('keeps ledger, balances, pools, figures and feed consistent, and changes nothing when it is repeated', async () => {
      await fc.assert(
        fc.asyncProperty(anyProgram, fc.array(anyTurn, { minLength: 1, maxLength: 6 }), async (program, turns) => {
          const shop = await openSampleShop(engine, program);
          for (const turn of turns) await runTurn(shop, turn);
          await expectConsistent(shop);
          await shop.database.close();
        }),
        runs,
      );
    });

    it('has the same result one by one and in batches of any size', async () => {
      const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
      await fc.assert(
        fc.asyncProperty(anyProgram, fc.array(anyOrder, { minLength: 2, maxLength: 16 }), sizes, async (program, orders, batchSizes) => {
          const alone = await openSampleShop(engine, program);
          const outcomes = [];
          for (const one of orders) outcomes.push(...(await alone.record(one)));
          const bundled = await openSampleShop(engine, program);
          const bundledOutcomes = [];
          for (let start = 0, turn = 0; start < orders.length; turn += 1) {
            const size = batchSizes[turn % batchSizes.length] ?? 1;
            bundledOutcomes.push(...(await bundled.record(...orders.slice(start, start + size))));
            start += size;
          }
          expect(bundledOutcomes).to.deep.equal(outcomes);
          expect(await readState(bundled)).to.deep.equal(await readState(alone));
          for (const shop of [alone, bundled]) await shop.database.close();
        }),
        runs,
      );
    });
  });
});
