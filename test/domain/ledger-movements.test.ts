import { expect } from 'chai';
import { shareChanges, shareMovement, touchesShares } from '../../domain/commission/commission.ts';
import { type OrderFacts, withCommission } from '../../domain/commission/commission-status.ts';
import { sharesBefore, type Upline } from '../../domain/commission/upline.ts';
import { directed, orderMovements } from '../../domain/ledger/order-movements.ts';
import type { Order, Share } from '../../domain/orders/order.ts';

const facts: OrderFacts = {
  ...{ orderId: 7, couponId: 3, usedCouponId: 3, day: '2026-10-05', placedAt: 0, shipping: 0, tax: 0, status: 'completed' },
  ...{ total: 10_000, discount: 0, quantity: 1, refunded: 0, dueAt: 50, creditedVia: 'coupon', campaign: null, visitorHash: null },
  handovers: 0,
  rates: { percentThousandths: 10_000, fixedPerOrder: 0, fixedPerProduct: 0 },
};
const order = (commissionStatus: Order['commissionStatus'], commission: number): Order => ({
  ...facts,
  commission,
  commissionStatus,
  grantedAt: commissionStatus === 'granted' ? 50 : null,
});

const movementsOf = (before: Order | null, after: Order): string[] =>
  orderMovements({ before, after }, { userId: 9, now: 60 }).map(({ from, to, amount, reason }) => `${reason}: ${from} → ${to} ${amount}`);

describe('the movements of an order', () => {
  it('put its commission into the right pool from the start', () => {
    expect(movementsOf(null, order('pending', 1000))).to.deep.equal(['order: store → pending_order 1000']);
    expect(movementsOf(null, order('granted', 1000))).to.deep.equal(['order_granted: store → unpaid 1000']);
    expect(movementsOf(order('reversed', 0), order('pending', 1000))).to.deep.equal(['order: store → pending_order 1000']);
  });

  it('do not touch the pools of a coupon that was reassigned since: the store bears the difference', () => {
    const sinceHandover = (before: Order, after: Order): string[] =>
      orderMovements({ before, after }, { userId: 9, now: 60 }, true).map(
        ({ from, to, amount, reason }) => `${reason}: ${from} → ${to} ${amount}`,
      );
    expect(sinceHandover(order('granted', 1000), order('reversed', 0))).to.deep.equal(['order_reversed: handed_over → store 1000']);
    expect(sinceHandover(order('pending', 1000), order('reversed', 0))).to.deep.equal(['order_reversed: handed_over → store 1000']);
    expect(sinceHandover(order('granted', 1000), order('granted', 700))).to.deep.equal(['order_changed: handed_over → store 300']);
    expect(sinceHandover(order('reversed', 0), order('granted', 1000))).to.deep.equal(['order_changed: store → handed_over 1000']);
    expect(sinceHandover(order('pending', 1000), order('granted', 1000))).to.deep.equal([]);
  });

  it('move it forward when it is granted, and back when it is reversed', () => {
    expect(movementsOf(order('pending', 1000), order('granted', 1000))).to.deep.equal(['order_granted: pending_order → unpaid 1000']);
    expect(movementsOf(order('granted', 1000), order('reversed', 0))).to.deep.equal(['order_reversed: unpaid → store 1000']);
    expect(movementsOf(order('pending', 1000), order('reversed', 0))).to.deep.equal(['order_reversed: pending_order → store 1000']);
  });

  it('settle a difference in the current pool before the whole amount moves', () => {
    expect(movementsOf(order('granted', 1000), order('granted', 600))).to.deep.equal(['order_changed: unpaid → store 400']);
    expect(movementsOf(order('pending', 1000), order('granted', 1200))).to.deep.equal([
      'order_changed: store → pending_order 200',
      'order_granted: pending_order → unpaid 1200',
    ]);
  });

  it('are none where nothing moves', () => {
    expect(movementsOf(null, order('pending', 0))).to.deep.equal([]);
    expect(movementsOf(null, order('reversed', 0))).to.deep.equal([]);
    expect(movementsOf(order('granted', 1000), order('granted', 1000))).to.deep.equal([]);
  });

  it('name coupon, order, user, time and reason', () => {
    expect(orderMovements({ before: null, after: order('pending', 5) }, { userId: 9, now: 60 })).to.deep.equal([
      {
        ...{ couponId: 3, orderId: 7, payoutId: null, userId: 9, at: 60, note: 'Order 7 was recorded.' },
        ...{ reason: 'order', from: 'store', to: 'pending_order', amount: 5 },
      },
    ]);
  });

  it('of a negative amount go in the opposite direction', () => {
    expect(directed('store', 'unpaid', 5)).to.deep.equal({ from: 'store', to: 'unpaid', amount: 5 });
    expect(directed('store', 'unpaid', -5)).to.deep.equal({ from: 'unpaid', to: 'store', amount: 5 });
  });
});

describe('the time when a commission is granted', () => {
  it('is the time when it was due, where it was due before it was recorded', () => {
    expect(withCommission(facts, null, 60)).to.include({ commissionStatus: 'granted', grantedAt: 50, commission: 1000 });
    expect(withCommission(facts, null, 50)).to.include({ commissionStatus: 'granted', grantedAt: 50 });
    expect(withCommission(facts, null, 49)).to.include({ commissionStatus: 'pending', grantedAt: null, commission: 1000 });
  });

  it('is now for one that waited, and stays the same for one that has it', () => {
    expect(withCommission(facts, order('pending', 1000), 60)).to.include({ commissionStatus: 'granted', grantedAt: 60 });
    expect(withCommission(facts, order('granted', 1000), 70)).to.include({ grantedAt: 50 });
  });

  it('stays the same when the order returns to processing, and is removed when the order is refunded in full', () => {
    const processing = { ...facts, status: 'processing' as const };
    expect(withCommission(processing, order('granted', 1000), 60)).to.include({ commissionStatus: 'granted', grantedAt: 50 });
    expect(withCommission(processing, order('pending', 1000), 60)).to.include({ commissionStatus: 'pending' });
    expect(withCommission({ ...facts, refunded: 9999 }, order('granted', 1000), 60)).to.include({
      commissionStatus: 'granted',
      commission: 0,
    });
    expect(withCommission({ ...facts, refunded: 10_000 }, order('granted', 1000), 60)).to.include({
      commissionStatus: 'reversed',
      grantedAt: null,
    });
  });

  it('is removed for the smallest order too, once its one unit is refunded', () => {
    expect(withCommission({ ...facts, total: 1, refunded: 1 }, null, 60)).to.include({ commissionStatus: 'reversed', commission: 0 });
  });

  it('is set for goods that cost nothing too, because nothing was refunded', () => {
    expect(withCommission({ ...facts, discount: 10_000 }, null, 60)).to.include({ commissionStatus: 'granted', commission: 0 });
  });
});

const share: Share = { orderId: 7, tier: 1, couponId: 4, userId: 2, rateThousandths: 5000, amount: 0 };
const upline = (parts: Partial<Upline>): Upline => ({
  sharesOf: new Map(),
  tiersOf: new Map([[1, [{ tier: 2, userId: 2, coupon: { id: 4 } as never }]]]),
  coupons: new Map(),
  ratesThousandths: [5000, 2500],
  ...parts,
});

describe('the shares of the upline', () => {
  const granting = { before: order('pending', 1000), after: order('granted', 1000) };
  const reversing = { before: order('granted', 1000), after: order('reversed', 0) };

  it('are created when commission is granted for the first time, each at the rate of its tier', () => {
    expect(sharesBefore(granting, 1, upline({}))).to.deep.equal([{ ...share, tier: 2, rateThousandths: 2500 }]);
    expect(sharesBefore(granting, 1, upline({ ratesThousandths: [5000] }))).to.deep.equal([{ ...share, tier: 2, rateThousandths: 0 }]);
  });

  it('are none without an owner, without an upline, and before commission is granted', () => {
    expect(sharesBefore(granting, null, upline({}))).to.deep.equal([]);
    expect(sharesBefore(granting, 5, upline({}))).to.deep.equal([]);
    expect(sharesBefore({ before: null, after: order('pending', 1000) }, 1, upline({}))).to.deep.equal([]);
  });

  it('stay with their recipients', () => {
    const kept = upline({ sharesOf: new Map([[7, [share]]]) });
    expect(sharesBefore(granting, 1, kept)).to.deep.equal([share]);
    expect(sharesBefore(reversing, null, kept)).to.deep.equal([share]);
  });

  it('follow the granted commission, and are not changed by any other step', () => {
    expect([granting, reversing].map(touchesShares)).to.deep.equal([true, true]);
    expect(touchesShares({ before: order('pending', 0), after: order('granted', 0) })).to.equal(true);
    expect(touchesShares({ before: order('granted', 9), after: order('granted', 9) })).to.equal(false);
    expect(touchesShares({ before: null, after: order('pending', 1000) })).to.equal(false);
    expect(shareChanges(granting, [share])).to.deep.equal([{ share: { ...share, amount: 50 }, difference: 50 }]);
    expect(shareChanges(reversing, [{ ...share, amount: 50 }])).to.deep.equal([{ share, difference: -50 }]);
    // Taken up again, and not granted again yet.
    expect(shareChanges({ before: order('reversed', 0), after: order('pending', 1000) }, [share])).to.deep.equal([
      { share, difference: 0 },
    ]);
  });

  it('move between the store and the unpaid pool, with a reason', () => {
    const cause = { userId: 9, now: 60 };
    const ofShare = { couponId: 4, reason: 'mla', orderId: 7, payoutId: null, userId: 9, at: 60, amount: 50 };
    const given = { ...ofShare, note: 'Share of the commission of order 7.', from: 'store', to: 'unpaid' };
    expect(shareMovement(granting, { share, difference: 50 }, cause)).to.deep.equal(given);
    expect(shareMovement(granting, { share, difference: 1 }, cause)).to.deep.equal({ ...given, amount: 1 });
    const taken = { ...ofShare, note: 'Order 7 was refunded.', from: 'unpaid', to: 'store' };
    expect(shareMovement(reversing, { share, difference: -50 }, cause)).to.deep.equal(taken);
  });
});
