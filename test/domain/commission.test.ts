import { expect } from 'chai';
import fc from 'fast-check';
import { commissionOf, percentOf, ratesOf } from '../../domain/commission/commission.ts';
import { type OrderFacts, withCommission } from '../../domain/commission/commission-status.ts';
import { orderMovements } from '../../domain/order-recording/order-movements.ts';
import { type Order, orderStatuses } from '../../domain/orders/order.ts';
import type { Rates } from '../../domain/program.ts';

const rates = (percent: number, fixedPerOrder = 0, fixedPerProduct = 0): Rates => ({
  percentThousandths: percent * 1000,
  fixedPerOrder,
  fixedPerProduct,
});
const amounts = (total: number, discount = 0, refunded = 0, quantity = 1) => ({ total, discount, refunded, quantity });

describe('the commission of an order', () => {
  it('is a percentage of the total after the discount, rounded half up to the minor unit', () => {
    // 179.80 - 17.98 = 161.82 EUR; 10 % = 16.182
    expect(commissionOf(amounts(17_980, 1798), rates(10))).to.equal(1618);
    // 0.05 EUR; 10 % = 0.005, half of a cent
    expect(commissionOf(amounts(5), rates(10))).to.equal(1);
    // 0.04 EUR; 10 % = 0.004
    expect(commissionOf(amounts(4), rates(10))).to.equal(0);
    // 1999 JPY; 12.5 % = 249.875, and there is nothing smaller than a yen
    expect(commissionOf(amounts(1999), rates(12.5))).to.equal(250);
    // 12.345 - 1.235 = 11.110 KWD; 7.5 % = 0.83325, of which a dinar keeps three decimals
    expect(commissionOf(amounts(12_345, 1235), rates(7.5))).to.equal(833);
  });

  it('adds the fixed parts: one for the order, one for each product', () => {
    // 100.00; 10 % = 10.00; + 2.00 + 3 × 0.50
    expect(commissionOf(amounts(10_000, 0, 0, 3), rates(10, 200, 50))).to.equal(1350);
  });

  it('is scaled as a whole by a partial refund, rounded half up once more', () => {
    // 240.00 - 24.00 = 216.00; 21.60; of 216.00 are 162.00 left: 21.60 × 162 / 216 = 16.20
    expect(commissionOf(amounts(24_000, 2400, 5400), rates(10))).to.equal(1620);
    // 13.50 as above; of 100.00 are 66.67 left: 13.50 × 0.6667 = 9.00045
    expect(commissionOf(amounts(10_000, 0, 3333, 3), rates(10, 200, 50))).to.equal(900);
    // 0.01; half of 0.10 is left: 0.005
    expect(commissionOf(amounts(10, 0, 5), rates(10))).to.equal(1);
  });

  it('is the fixed parts only where the goods cost nothing', () => {
    expect(commissionOf(amounts(5000, 5000), rates(10, 200, 50))).to.equal(250);
  });

  it("uses the coupon's own rates, each separately, and otherwise the store's", () => {
    const own = { percentThousandths: 0, fixedPerOrder: null, fixedPerProduct: 75, discountType: 'percent', discountAmount: 0 } as const;
    expect(ratesOf(own, rates(10, 200, 50))).to.deep.equal(rates(0, 200, 75));
    const other = { ...own, percentThousandths: null, fixedPerOrder: 0, fixedPerProduct: null };
    expect(ratesOf(other, rates(10, 200, 50))).to.deep.equal(rates(10, 0, 50));
  });

  it('has the rate of each tier, rounded half up', () => {
    // 16.18; 5 % = 0.809; 2.5 % = 0.4045
    expect([percentOf(1618, 5000), percentOf(1618, 2500)]).to.deep.equal([81, 40]);
    // 0.10; 5 % = 0.005
    expect(percentOf(10, 5000)).to.equal(1);
  });
});

const plainFacts = {
  orderId: 7,
  couponId: 3,
  usedCouponId: 3,
  day: '2026-10-05',
  placedAt: 0,
  shipping: 0,
  tax: 0,
  creditedVia: 'coupon',
  campaign: null,
  visitorHash: null,
  handovers: 0,
} as const;
const moment = fc.integer({ min: 0, max: 100 });
const anyRates = fc.record({
  percentThousandths: fc.integer({ min: 0, max: 100_000 }),
  fixedPerOrder: fc.integer({ min: 0, max: 5000 }),
  fixedPerProduct: fc.integer({ min: 0, max: 500 }),
});
const anyFacts: fc.Arbitrary<OrderFacts> = fc
  .record({
    net: fc.integer({ min: 0, max: 1_000_000 }),
    discount: fc.integer({ min: 0, max: 1_000_000 }),
    refundedPart: fc.constantFrom(0, 0, 0.3, 0.9999, 1),
    status: fc.constantFrom(...orderStatuses),
    quantity: fc.integer({ min: 0, max: 20 }),
    dueAt: moment,
    rates: anyRates,
  })
  .map(({ net, discount, refundedPart, ...rest }) => ({
    ...plainFacts,
    ...rest,
    total: net + discount,
    discount,
    refunded: Math.floor(net * refundedPart),
  }));

/** An order and how it changed, each state with the moment at which it came in. */
const history = fc.array(fc.tuple(anyFacts, moment), { minLength: 1, maxLength: 6 }).map((told) => {
  const states: Order[] = [];
  for (const [facts, now] of told)
    states.push(withCommission({ ...facts, rates: told[0]?.[0].rates ?? facts.rates }, states.at(-1) ?? null, now));
  return states;
});

describe('the status of a commission', () => {
  it('is granted when it is due, with the time when it was due, or now for one that waited, and is kept until all is refunded', () => {
    const facts: OrderFacts = { ...plainFacts, ...amounts(10_000), status: 'completed', dueAt: 50, rates: rates(10) };
    const waiting: Order = { ...facts, commission: 1000, commissionStatus: 'pending', grantedAt: null, hasCompleted: true };
    const granted: Order = { ...waiting, commissionStatus: 'granted', grantedAt: 50 };
    const processing = { status: 'processing' } as const;
    const cases: [changed: Partial<OrderFacts>, before: Order | null, now: number, expected: Partial<Order>][] = [
      [{}, null, 49, { commissionStatus: 'pending', grantedAt: null, commission: 1000 }],
      [{}, null, 50, { commissionStatus: 'granted', grantedAt: 50 }],
      [{}, null, 60, { commissionStatus: 'granted', grantedAt: 50, commission: 1000 }],
      [{}, waiting, 60, { commissionStatus: 'granted', grantedAt: 60 }],
      [{}, granted, 70, { commissionStatus: 'granted', grantedAt: 50 }],
      [processing, granted, 60, { commissionStatus: 'granted', grantedAt: 50 }],
      [processing, waiting, 60, { commissionStatus: 'pending' }],
      [{ refunded: 9999 }, granted, 60, { commissionStatus: 'granted', commission: 0 }],
      [{ refunded: 10_000 }, granted, 60, { commissionStatus: 'reversed', grantedAt: null }],
      [{ total: 1, refunded: 1 }, null, 60, { commissionStatus: 'reversed', commission: 0 }],
      [{ discount: 10_000 }, null, 60, { commissionStatus: 'granted', commission: 0 }],
    ];
    for (const [changed, before, now, expected] of cases) {
      const what = `${JSON.stringify(changed)} at ${now} after ${before?.commissionStatus ?? 'nothing'}`;
      expect(withCommission({ ...facts, ...changed }, before, now), what).to.include(expected);
    }
  });

  it('leaves nothing in any pool once the order is cancelled, failed or refunded in full', () => {
    fc.assert(
      fc.property(history, (states) => {
        for (const { status, total, discount, refunded, commission, commissionStatus, grantedAt } of states) {
          const isLost = ['cancelled', 'failed', 'refunded'].includes(status) || (refunded > 0 && refunded === total - discount);
          expect(commissionStatus === 'reversed').to.equal(isLost);
          if (isLost) expect([commission, grantedAt]).to.deep.equal([0, null]);
        }
      }),
    );
  });

  it('is granted for completed orders only, after the clearing days, with the time of the grant', () => {
    fc.assert(
      fc.property(anyFacts, moment, (facts, now) => {
        const { commissionStatus, grantedAt } = withCommission(facts, null, now);
        if (commissionStatus === 'granted')
          expect([facts.status, facts.dueAt <= now, grantedAt]).to.deep.equal(['completed', true, facts.dueAt]);
        else expect(grantedAt).to.equal(null);
        if (commissionStatus === 'pending') expect(facts.status === 'completed' && facts.dueAt <= now).to.equal(false);
      }),
    );
  });

  it('never pays more for a larger refund, and never less than zero', () => {
    fc.assert(
      fc.property(anyFacts, fc.integer({ min: 0, max: 1_000_000 }), (facts, further) => {
        const more = { ...facts, refunded: Math.min(facts.refunded + further, facts.total - facts.discount) };
        expect(commissionOf(more, more.rates)).to.be.within(0, commissionOf(facts, facts.rates));
      }),
    );
  });

  it('moves so that the pools match the order after every step', () => {
    fc.assert(
      fc.property(history, (states) => {
        const pools = { store: 0, handed_over: 0, pending_order: 0, unpaid: 0, pending_payout: 0, paid: 0 };
        let before: Order | null = null;
        for (const after of states) {
          for (const { from, to, amount } of orderMovements({ before, after }, { userId: 0, now: 0 })) {
            expect(amount).to.be.greaterThan(0);
            pools[from] -= amount;
            pools[to] += amount;
          }
          const pending = after.commissionStatus === 'pending' ? after.commission : 0;
          const unpaid = after.commissionStatus === 'granted' ? after.commission : 0;
          expect(pools).to.deep.equal({
            store: 0 - pending - unpaid,
            handed_over: 0,
            pending_order: pending,
            unpaid,
            pending_payout: 0,
            paid: 0,
          });
          before = after;
        }
      }),
    );
  });
});
